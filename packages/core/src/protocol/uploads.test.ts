import { describe, expect, it } from 'vitest';
import { readFixtureObject } from '../../test/read-fixture.js';
import { createUploadSessionRequestSchema, uploadSessionSchema } from './uploads.js';

describe('createUploadSessionRequestSchema', () => {
  const body = readFixtureObject('request-create-upload-session');

  it.each([0, 1, 5_368_709_120])('accepts a file of %d bytes', (size) => {
    expect(createUploadSessionRequestSchema.parse({ ...body, size })).toStrictEqual({
      ...body,
      size,
    });
  });

  it.each([{ size: -1 }, { size: 0.5 }, { fileName: '' }, { contentType: '' }])(
    'rejects %j',
    (wrong) => {
      const [field] = Object.keys(wrong);
      const { error } = createUploadSessionRequestSchema.safeParse({ ...body, ...wrong });
      expect(error?.issues[0]?.path).toEqual([field]);
    },
  );
});

describe('uploadSessionSchema', () => {
  const session = readFixtureObject('upload-session');

  it('accepts an empty set of form fields, and values of any kind in it', () => {
    for (const fields of [{}, { key: 'k', 'x-amz-meta-n': 1, policy: null }]) {
      expect(uploadSessionSchema.parse({ ...session, fields })).toStrictEqual({
        ...session,
        fields,
      });
    }
  });

  it('rejects form fields that are a list', () => {
    expect(uploadSessionSchema.safeParse({ ...session, fields: [] }).success).toBe(false);
  });
});
