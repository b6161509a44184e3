import { VirguleError } from '@virgule/core/errors';
import { describe, expect, it } from 'vitest';
import { importMcp } from './create-mcp-server.js';

const failing = (error: Error) => () => Promise.reject(error);

describe('importMcp()', () => {
  it('says how to install the SDK if it is missing', async () => {
    const missing = Object.assign(new Error('Cannot find package'), {
      code: 'ERR_MODULE_NOT_FOUND',
    });
    const error = await importMcp(failing(missing)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(VirguleError);
    expect(error).toMatchObject({
      code: 'E_MCP_MISSING',
      hint: expect.stringContaining('npm install --save-dev @modelcontextprotocol/server'),
      cause: missing,
    });
  });

  it('throws what the SDK throws while it is loaded', async () => {
    const broken = new Error('broken');
    await expect(importMcp(failing(broken))).rejects.toBe(broken);
  });
});
