import { virgule } from 'virgule/vitest';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [virgule()],
  test: { include: ['tests/**/*.test.ts'] },
});
