import { describe, expect, it } from 'vitest';
import { readFixture } from './read-fixture.js';
import { SPEC_SHAPES, type SpecField, type SpecShape, type SpecType } from './spec/shapes.js';

/** Invalid values for each type of the document. */
const WRONG: Readonly<Record<SpecType, readonly unknown[]>> = {
  uuid: ['', 'not-an-id', '5e9b3c17a2644d80b91e07f3c8d5624a', 7, {}],
  string: [7, true, {}, []],
  boolean: ['true', 1, {}],
  int32: ['7', 1.5, 2_147_483_648, -2_147_483_649],
  int64: ['7', 1.5],
  integer: ['7', {}, true],
  'date-time': ['', 'yesterday', '2026-02-03', 1_770_142_800, {}],
  object: ['text', 7, true],
  list: ['text', {}, 7],
};

/** Specified as objects; null and absence are assumed, so other rules apply to these fields. */
const INNER_OBJECTS = new Set(['replyTo', 'linkPreview', 'poll', 'forwardedFrom']);

function inspect(field: SpecField): { type: SpecType; nullable: boolean; optional: boolean } {
  return {
    // The union is spelled as a type followed by these two marks.
    type: field.replace(' optional', '').replace('?', '') as SpecType,
    nullable: field.includes('?'),
    optional: field.endsWith(' optional'),
  };
}

function sampleOf({ fixture, at = [] }: SpecShape): Record<string, unknown> {
  let value = readFixture(fixture);
  for (const key of at) value = (value as Record<string | number, unknown>)[key];
  // `at` and `fixture` are written by hand next to each other and lead to an object.
  return value as Record<string, unknown>;
}

const shapes = Object.entries(SPEC_SHAPES);

const fields = shapes.flatMap(([shapeName, shape]) =>
  Object.entries(shape.fields).map(([name, field]) => ({
    title: `${shapeName}.${name}: ${field}`,
    name,
    shape,
    ...inspect(field),
  })),
);

/**
 * Fields of responses that may be absent: many serializers leave null out, and the Bot Interface marks no field of a
 * response as required.
 */
const mayBeLeftOut = fields.filter(
  ({ title, nullable }) => nullable && !/Request\.|^ReactionMutation/.test(title),
);
const required = fields.filter(
  (field) => !field.optional && !INNER_OBJECTS.has(field.name) && !mayBeLeftOut.includes(field),
);

describe('the shapes of the Bot Interface', () => {
  it.each(shapes)(
    '%s: the fixture holds every field that is listed and no other',
    (_name, shape) => {
      expect(Object.keys(sampleOf(shape)).toSorted()).toEqual(Object.keys(shape.fields).toSorted());
    },
  );

  it.each(shapes)('%s: the listed fields parse unchanged', (_name, shape) => {
    expect(shape.schema.parse(sampleOf(shape))).toStrictEqual(sampleOf(shape));
  });

  it.each(required)('$title is rejected when it is missing', ({ name, shape }) => {
    const { [name]: _removed, ...rest } = sampleOf(shape);
    expect(shape.schema.safeParse(rest).error?.issues.map((issue) => issue.path[0])).toEqual([
      name,
    ]);
  });

  it.each(mayBeLeftOut)('$title is null when it is missing', ({ name, shape }) => {
    const { [name]: _removed, ...rest } = sampleOf(shape);
    expect(shape.schema.parse(rest)).toStrictEqual({ ...rest, [name]: null });
  });

  it.each(fields.filter(({ optional }) => optional))('$title may be absent', ({ name, shape }) => {
    const { [name]: _removed, ...rest } = sampleOf(shape);
    expect(shape.schema.parse(rest)).toStrictEqual(rest);
  });

  it.each(fields.filter(({ nullable }) => nullable))('$title may be null', ({ name, shape }) => {
    const value = { ...sampleOf(shape), ...shape.orNull?.[name], [name]: null };
    expect(shape.schema.parse(value)).toStrictEqual(value);
  });

  it.each(fields.filter(({ name, nullable }) => !nullable && !INNER_OBJECTS.has(name)))(
    '$title is rejected when it is null',
    ({ name, shape }) => {
      expect(shape.schema.safeParse({ ...sampleOf(shape), [name]: null }).success).toBe(false);
    },
  );

  it.each(fields)('$title is rejected when it is of another type', ({ name, shape, type }) => {
    const accepted = WRONG[type].filter(
      (wrong) => shape.schema.safeParse({ ...sampleOf(shape), [name]: wrong }).success,
    );
    expect(accepted).toEqual([]);
  });

  it.each(shapes)('%s: unknown fields pass through', (_name, shape) => {
    const value = { ...sampleOf(shape), addedLater: { deep: [1, null, 'x'] } };
    expect(shape.schema.parse(value)).toStrictEqual(value);
  });

  it.each(shapes)('%s: a value that is not an object is rejected', (_name, shape) => {
    const accepted = [null, undefined, [], 'text', 7].filter(
      (value) => shape.schema.safeParse(value).success,
    );
    expect(accepted).toEqual([]);
  });
});
