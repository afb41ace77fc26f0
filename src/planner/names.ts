import { customAlphabet } from 'nanoid';
import { adjectives, animals, colors, uniqueNamesGenerator } from 'unique-names-generator';
import { PlannerError } from './errors';
import { excerpt } from './text';

const PLAN_ID = /^[0-9a-z]{5}$/;
/** As made here, or by a later version with more words. Nothing that matches can lead out of the store's folder. */
const SESSION_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const LONGEST_SESSION_NAME = 100;

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

export function isSessionName(name: string): boolean {
  return name.length <= LONGEST_SESSION_NAME && SESSION_NAME.test(name);
}

export function isPlanId(id: string): boolean {
  return PLAN_ID.test(id);
}

/** VALIDATION_ERROR unless `id` has the form of a plan id. */
export function checkPlanId(id: string, field = 'plan_id'): void {
  if (isPlanId(id)) return;
  throw new PlannerError(
    'VALIDATION_ERROR',
    `${field} ${quoted(id)} is not a plan id: it has five characters, each a digit or a lower-case letter.`,
    'Take the id from the answer that added the plan, or list the queue.',
  );
}

/** What was given, short and on one line, safe to show. */
export function quoted(text: string): string {
  return JSON.stringify(excerpt(text, 40));
}
