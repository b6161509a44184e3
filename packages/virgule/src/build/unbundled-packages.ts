import path from 'node:path';
import { isSharedPackage, readPackageJson } from '../loader/packages.js';
import type { BundledFile, BundleGraph } from './bundle-graph.js';
import type { InstalledPackages } from './installed-package.js';

/** A package that is not in the bundle and has to be installed where the bot runs. */
export interface UnbundledPackage {
  readonly reason: string;
  /** The exact version that is installed; the range of the project if none is. */
  readonly version: string;
  /** Where it is installed. */
  readonly folder: string | undefined;
}

/** The programs of a build, and what was found in them. */
export interface Attempt {
  /** Each program with its source map, by path from `dist/`. */
  readonly outputs: ReadonlyMap<string, { readonly code: Uint8Array; readonly map: Uint8Array }>;
  readonly graph: BundleGraph;
  /** The packages that were left out, with the absolute paths of the files that import them. */
  readonly leftOut: ReadonlyMap<string, ReadonlySet<string>>;
}

const NATIVE = 'native code';

/** Packages that read files next to their code or start workers from them. Those with native code are found without a list. */
const READS_ITS_FILES = `
  @prisma/client @zenstackhq/runtime bull bullmq pg-boss prisma typeorm
  @opentelemetry/auto-instrumentations-node @opentelemetry/instrumentation @sentry/node dd-trace import-in-the-middle
  newrelic require-in-the-middle
  log4js pino pino-roll
  bree node-cron piscina threads tinypool workerpool
  @google-cloud/speech @google-cloud/text-to-speech @google-cloud/translate @google-cloud/vision firebase-admin google-gax
  google-proto-files
  @puppeteer/browsers @sparticuz/chromium jsdom lighthouse playwright playwright-core puppeteer puppeteer-core
  puppeteer-extra
  @ffmpeg-installer/ffmpeg @ffprobe-installer/ffprobe ffmpeg-static ffprobe-static youtube-dl-exec
  @huggingface/transformers @xenova/transformers kuromoji natural node-nlp tesseract.js tiktoken
  @react-pdf/renderer canvacord jimp pdfjs-dist pdfkit pdfmake
  cowsay dictionary-en figlet geoip-lite sql.js stockfish swagger-ui-dist swagger-ui-express word-list
  clipboardy node-notifier open shelljs vm2 yargs
  @babel/core eslint less mjml postcss prettier pug shiki tailwindcss ts-morph ts-node tsx typescript uglify-js webpack
`;

/** Decides which packages of a project are not in its bundle. */
export function createUnbundledPackages(
  root: string,
  packages: InstalledPackages,
  external: readonly string[],
) {
  /** Names of packages to leave out wherever the project or a package imports them, each with the reason. */
  const reasons = new Map<string, string>([
    ...READS_ITS_FILES.trim()
      .split(/\s+/)
      .map((name) => [name, 'reads its own files'] as const),
    ...external.map((name) => [name, 'build.external'] as const),
  ]);
  const isInstalled = (name: string): boolean => packages.find(name, root) !== undefined;
  /** Returns whether code in a folder imports the copy of a package that the project imports. */
  const isSame = (name: string, folder: string): boolean =>
    packages.find(name, folder)?.folder === packages.find(name, root)?.folder;

  /** Adds the installed peers of packages: the project and such a package must share one copy. */
  function withPeers(some: Iterable<readonly [string, string]>): Map<string, string> {
    const all = new Map(some);
    // The loop also visits the peers that it adds.
    for (const [name] of all)
      for (const peer of Object.keys(packages.find(name, root)?.manifest.peerDependencies ?? {}))
        if (!all.has(peer) && isInstalled(peer)) all.set(peer, `peer of ${name}`);
    return all;
  }

  /**
   * Adds what an attempt shows: packages that load a native addon, peers, and the importers of packages that the project itself
   * cannot import, as pnpm installs them.
   *
   * @returns whether a package that was added is in the attempt.
   */
  function addFrom({ graph, leftOut }: Attempt): boolean {
    const found = new Map([...leftOut.keys()].map((name) => [name, reasons.get(name) ?? NATIVE]));
    const isImportable = ({ owner }: BundledFile): boolean =>
      owner !== undefined && packages.find(owner.name, root)?.folder === owner.folder;
    function add(file: BundledFile, origin: string): void {
      for (const { owner } of graph.behind(file, (at) => at.isOwn || isImportable(at)))
        if (owner) found.set(owner.name, owner.name === origin ? NATIVE : `needs ${origin}`);
    }
    for (const file of graph.files.values()) {
      const { absolute, owner } = file;
      if (owner && absolute.endsWith('.node')) add(file, owner.name);
      for (const [name, importers] of leftOut)
        if (importers.has(absolute) && !isSame(name, path.dirname(absolute))) add(file, name);
    }
    // The bot and the framework, which is always in the bundle, must share one copy of some.
    const added = [...withPeers(found)].filter(
      ([name]) => !reasons.has(name) && !isSharedPackage(name),
    );
    for (const [name, reason] of added) reasons.set(name, reason);
    const bundled = new Set(graph.packages().map(({ name }) => name));
    return added.some(([name]) => bundled.has(name));
  }

  /**
   * Lists what has to be installed: the packages that an attempt left out, their peers, and what the project depends on and is
   * not in the bundle, since a package can be loaded by its name, such as the target of a transport.
   */
  function list({ leftOut, graph }: Attempt): ReadonlyMap<string, UnbundledPackage> {
    const names = new Set([...external.filter(isInstalled), ...leftOut.keys()]);
    const listed = withPeers([...names].map((name) => [name, reasons.get(name) ?? NATIVE]));
    const declared = readPackageJson(root)?.dependencies ?? {};
    const bundled = new Set(graph.packages().map(({ name }) => name));
    for (const name of listed.size > 0 ? Object.keys(declared) : []) {
      const found = packages.find(name, root);
      // A package that is linked, such as one of the same workspace, is in no registry.
      const isLinked = found && !packages.ownerOf(path.join(found.folder, 'package.json'));
      // The framework and zod are in the bundle, also where their entry only passes on what others export.
      if (found && !isLinked && !listed.has(name) && !bundled.has(name) && !isSharedPackage(name))
        listed.set(name, 'in dependencies, not imported');
    }
    const sorted = [...listed].toSorted(([left], [right]) => (left < right ? -1 : 1));
    return new Map(
      sorted.map(([name, reason]) => {
        const [importer = root] = leftOut.get(name) ?? [];
        const found = packages.find(name, root) ?? packages.find(name, importer);
        const range = declared[name];
        const version = found?.manifest.version ?? (typeof range === 'string' ? range : '*');
        return [name, { reason, version, folder: found?.folder }];
      }),
    );
  }

  return { reasons: reasons as ReadonlyMap<string, string>, addFrom, list };
}
