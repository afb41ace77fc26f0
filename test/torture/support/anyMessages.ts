import fc from 'fast-check';
import type { $ZodType, $ZodTypes } from 'zod/v4/core';
import { HOSTILE_NAMES, HOSTILE_TEXTS } from './hostile';

const anything = fc.oneof(
  fc.anything({ withBigInt: true, withMap: true, withDate: true, withNullPrototype: true, maxDepth: 2 }),
  fc.constantFrom(Number.NaN, -1, 0.5, Number.MAX_SAFE_INTEGER, '', [], {}, null, undefined),
);
const text = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS, ...HOSTILE_NAMES),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
);

/** What a schema allows, mostly: now and then a part is anything, is missing, or is one that the schema doesn't know. */
export function messagesFor(schema: $ZodType): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 40, arbitrary: rightFor(schema) }, { weight: 1, arbitrary: anything });
}

function rightFor(schema: $ZodType): fc.Arbitrary<unknown> {
  const { def } = (schema as $ZodTypes)._zod;
  switch (def.type) {
    case 'union':
      return fc.oneof(...def.options.map(messagesFor));
    case 'object':
      return objectOf(def.shape);
    case 'literal':
      return fc.constantFrom(...def.values);
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries));
    case 'string':
      return text;
    case 'number':
      return fc.oneof(fc.nat(100), fc.integer());
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(messagesFor(def.element), { maxLength: 4 });
    case 'nullable':
    case 'optional':
      return fc.oneof(messagesFor(def.innerType), fc.constant(def.type === 'nullable' ? null : undefined));
    default:
      throw new Error(`no messages are made for ${def.type}`);
  }
}

function objectOf(shape: Readonly<Record<string, $ZodType>>): fc.Arbitrary<object> {
  const parts = Object.entries(shape).map(([name, part]) =>
    fc
      .tuple(messagesFor(part), fc.nat(99))
      .map(([value, chance]): [string, unknown][] => (chance === 0 ? [] : [[name, value]])),
  );
  const strange = fc.oneof(
    { weight: 30, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom('__proto__', 'constructor', 'x'), anything).map((one) => [one]) },
  );
  return fc.tuple(...parts, strange).map((all) => Object.fromEntries(all.flat() as [string, unknown][]));
}
