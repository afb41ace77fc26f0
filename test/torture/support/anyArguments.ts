import fc from 'fast-check';
import { HOSTILE_NAMES, HOSTILE_TEXTS } from './hostile';

interface Schema {
  type?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
}

/** Stands for the id of a plan that exists when the call is made. */
export const SOME_PLAN = '<plan>';
export const SOME_SESSION = '<session>';

const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
);
const id = fc.oneof(
  { weight: 12, arbitrary: fc.constant(SOME_PLAN) },
  { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_NAMES) },
  { weight: 1, arbitrary: fc.stringMatching(/^[0-9a-z]{5}$/) },
);
const session = fc.oneof(
  { weight: 12, arbitrary: fc.constant(SOME_SESSION) },
  { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_NAMES) },
);
const anything = fc.oneof(
  fc.anything({ maxDepth: 2, withNullPrototype: false }).filter(isJson),
  fc.constantFrom(null, '', 0, -1, 1e308, [], {}, [[]], 'x'.repeat(100_000)),
);

/** Arguments that a tool's schema allows, mostly; some of another type, some missing, some that it doesn't know. */
export function argumentsFor(schema: Schema): fc.Arbitrary<Record<string, unknown>> {
  const strange = fc.oneof(
    { weight: 15, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.dictionary(fc.string({ maxLength: 8 }), anything, { minKeys: 1, maxKeys: 2 }) },
  );
  return fc.tuple(objectOf(schema), strange).map(([args, more]) => ({ ...more, ...args }));
}

function objectOf({ properties = {}, required = [] }: Schema): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const right = valueFor(name, schema);
    const value = fc.oneof({ weight: 30, arbitrary: right }, { weight: 1, arbitrary: anything });
    const isThere = fc.nat(99).map((n) => n < (required.includes(name) ? 96 : 40));
    return fc.tuple(isThere, value).map(([is, chosen]) => (is ? { [name]: chosen } : {}));
  });
  return fc.tuple(...fields).map((parts) => Object.assign({}, ...parts));
}

function valueFor(name: string, schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'string':
      if (name === 'session_name') return session;
      return /^(id|plan_id|before|after|parent)$/.test(name) ? id : text;
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer({ min: -2, max: 20 }), fc.double());
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(
        /^(depends_on|add|remove)$/.test(name) && schema.items?.type === 'string'
          ? id
          : valueFor(name, schema.items ?? {}),
        { maxLength: 4 },
      );
    case 'object':
      return schema.properties
        ? objectOf(schema)
        : fc.dictionary(fc.string({ maxLength: 8 }), anything, { maxKeys: 3 });
    default:
      return anything;
  }
}

function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}
