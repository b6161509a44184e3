import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bareAddress } from '@virgule/core/log';
import { parseJson } from '@virgule/core/objects';
import { syncCommandItemSchema } from '@virgule/core/protocol';
import { listProjectFiles, scan } from '@virgule/runtime/project';
import * as z from 'zod';
import { cliErrors } from '../terminal/cli-errors.js';

/** Path of the manifest, relative to the project's root. */
export const MANIFEST_FILE = 'dist/manifest.json';
/** Path of the built bot, relative to the project's root. */
export const BOT_FILE = 'dist/bot.mjs';

const addressSchema = z.string().transform(bareAddress).optional();
const targetSchema = z.object({
  baseUrl: addressSchema,
  gatewayUrl: addressSchema,
  profile: z.record(z.string(), z.unknown()).optional(),
});
/**
 * Settings for reaching the platform, from the project's configuration. The addresses have no credentials, because a
 * manifest is not secret.
 */
export const platformSchema = targetSchema.extend({
  targets: z.record(z.string(), targetSchema).optional(),
});

const routeSchema = z.looseObject({ file: z.string() });

/** Manifest of a build. A later version of this format has another `v`. */
const builtManifestSchema = z.looseObject({
  v: z.literal(1),
  /** SHA-256 of `bot.mjs`. */
  hash: z.string(),
  commands: z.array(routeSchema.extend({ name: z.string() })),
  events: z.array(routeSchema),
  /** Commands as they are registered. */
  registered: z.array(syncCommandItemSchema),
  /** SHA-256 of each of the project's own files in the bundle, by path. */
  sources: z.record(z.string(), z.string()),
  platform: platformSchema,
  /** Names of the build's files and folders directly in `dist/`. */
  contents: z.array(z.string()),
});
export type BuiltManifest = z.infer<typeof builtManifestSchema>;

/**
 * Reads the manifest of a build, and checks that the build matches the sources next to it, if there are any.
 *
 * @throws VirguleError `E_BUILD_UNUSABLE`.
 */
export async function readBuiltManifest(root: string): Promise<BuiltManifest> {
  const text = await readFile(join(root, MANIFEST_FILE), 'utf8').catch((cause: unknown) => {
    throw cliErrors.E_BUILD_UNUSABLE({ kind: 'missing', file: MANIFEST_FILE }, { cause });
  });
  const { data, reason, cause } = parseJson(() => text, builtManifestSchema);
  if (reason !== undefined)
    throw cliErrors.E_BUILD_UNUSABLE({ kind: 'manifest', file: MANIFEST_FILE, reason }, { cause });
  await checkFresh(root, data);
  return data;
}

/** Reads the names of an earlier build's files and folders directly in `dist/`; empty without a valid manifest. */
export async function readContents(root: string): Promise<readonly string[]> {
  const text = await readFile(join(root, MANIFEST_FILE), 'utf8').catch(() => '');
  const { data } = parseJson(() => text, z.object({ contents: z.array(z.string()) }));
  // Only plain names are deleted, so every deleted path is in that folder.
  return data?.contents.filter((name) => /^[^/\\]+$/.test(name) && !/^\.+$/.test(name)) ?? [];
}

async function checkFresh(root: string, manifest: BuiltManifest): Promise<void> {
  const bot = await hashOf(join(root, BOT_FILE));
  if (bot !== undefined && bot !== manifest.hash) throw stale(BOT_FILE, 'another');
  // A folder without sources contains only the build, which cannot be outdated there.
  if (!hasSources(root, manifest)) return;
  for (const [file, hashed] of Object.entries(manifest.sources)) {
    const now = await hashOf(join(root, file));
    if (now !== hashed) throw stale(file, now === undefined ? 'gone' : 'changed');
  }
  const built = new Set([...manifest.commands, ...manifest.events].map(({ file }) => file));
  const { commands, events } = scan(await listProjectFiles(root)).manifest;
  const added = [...commands, ...events].find(({ file }) => !built.has(file));
  if (added) throw stale(added.file, 'new');
}

const hasSources = (root: string, { sources }: BuiltManifest): boolean =>
  Object.keys(sources).some((file) => existsSync(join(root, file)));

const stale = (file: string, why: 'changed' | 'gone' | 'new' | 'another') =>
  cliErrors.E_BUILD_UNUSABLE(
    { kind: 'stale', manifest: MANIFEST_FILE, file, why },
    { location: { file } },
  );

async function hashOf(file: string): Promise<string | undefined> {
  return readFile(file).then(
    (content) => hash('sha256', content),
    () => undefined,
  );
}
