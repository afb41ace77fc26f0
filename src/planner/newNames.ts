import { customAlphabet } from 'nanoid';
import { adjectives, animals, colors, uniqueNamesGenerator } from 'unique-names-generator';
import { PlannerError } from './errors';

/** 36^5 ids: among 10,000 plans a collision is likely, so `isTaken` is asked. */
const randomPlanId = customAlphabet('0123456789abcdefghijklmnopqrstuvwxyz', 5);
const ID_ATTEMPTS = 1000;

/** 22 million names of three words; the attempts after the first few carry a number too. */
const NAME_ATTEMPTS = 20;

export function newPlanId(isTaken: (id: string) => boolean, random: () => string = randomPlanId): string {
  for (let attempt = 0; attempt < ID_ATTEMPTS; attempt++) {
    const id = random();
    if (!isTaken(id)) return id;
  }
  throw new PlannerError(
    'DATABASE_ERROR',
    'No free plan id was found.',
    'The store holds too many plans; start a new store for new work.',
  );
}

export function newSessionName(isTaken: (name: string) => boolean, random: () => string = threeWords): string {
  for (let attempt = 0; attempt < NAME_ATTEMPTS; attempt++) {
    const name = random();
    if (!isTaken(name)) return name;
  }
  for (let number = 2; ; number++) {
    const name = `${random()}-${number}`;
    if (!isTaken(name)) return name;
  }
}

function threeWords(): string {
  return uniqueNamesGenerator({ dictionaries: [adjectives, colors, animals], separator: '-', length: 3 });
}
