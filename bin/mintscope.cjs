#!/usr/bin/env node
/**
 * The command `mintscope`: replaces itself with a process that has the options and variables which
 * the runtime reads before its first instruction. A clone and an installed package both start here.
 *
 * This file is read by whatever Node is installed, so it uses no syntax or module newer than
 * Node 12 until the version is known.
 */
const fs = require('fs');
const os = require('os');
const path = require('path');

const NODE_MAJOR_MIN = 24;
const ROOT = path.resolve(__dirname, '..');
/** In a clone alone: the package has the compiled form. */
const SOURCE = path.join(ROOT, 'src', 'main.ts');

/** Decisions 0018, 0130 and 0132 say why each of them is set. */
const RUNTIME_OPTIONS = [
  '--disable-warning=ExperimentalWarning',
  '--min-semi-space-size=64',
  '--max-semi-space-size=64',
  '--heap-growing-percent=60',
];
const RUNTIME_VARIABLES = {
  UV_THREADPOOL_SIZE: '16',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '1048576',
  MALLOC_TRIM_THRESHOLD_: '1048576',
};

/** A sentence for whoever started an unsuitable Node, or null. `isClone`: npm can bring one. */
function unsuitableRuntime(version, platform, isClone) {
  if (platform === 'win32') {
    return 'mintscope runs on Linux and macOS; on Windows use WSL 2 or the container image.';
  }
  if (Number(version.split('.')[0]) >= NODE_MAJOR_MIN) return null;
  const found = `was started with Node ${version} (${process.execPath})`;
  const wayOut = isClone
    ? 'in a clone, "npm ci" brings one that "npm start" uses; after "npm ci --ignore-scripts" it is "npm rebuild node"'
    : 'install a newer one from https://nodejs.org or use the container image';
  return `mintscope needs Node ${NODE_MAJOR_MIN} or newer and ${found}: ${wayOut}.`;
}

/**
 * Where compiled modules are kept between starts: beside the installed packages, or, if these
 * belong to somebody else, in the cache of the user. Never in a folder that others may write.
 */
function compileCache(environment) {
  const packages = path.join(ROOT, 'node_modules');
  const writable = fs.existsSync(packages) ? packages : ROOT;
  try {
    fs.accessSync(writable, fs.constants.W_OK);
    return path.join(packages, '.cache', 'compiled');
  } catch (_error) {
    const caches = environment.XDG_CACHE_HOME || path.join(os.homedir(), '.cache');
    return path.join(caches, 'mintscope', 'compiled');
  }
}

/**
 * The folder in which a person called `npm start` or `npm run mintscope`, which change to that of the
 * clone: relative paths mean the caller's. Null if npm did not start this.
 */
function callersFolder(environment) {
  const isOurs = environment.npm_package_json === path.join(ROOT, 'package.json');
  const isScript = ['start', 'mintscope'].includes(environment.npm_lifecycle_event);
  return isOurs && isScript ? environment.INIT_CWD || null : null;
}

/** The arguments and the environment of the process that runs the service. */
function runtimeOf(environment) {
  const program = fs.existsSync(SOURCE) ? SOURCE : path.join(ROOT, 'src', 'main.js');
  const defaults = Object.assign(
    { NODE_COMPILE_CACHE: compileCache(environment) },
    RUNTIME_VARIABLES,
  );
  return {
    program: program,
    options: RUNTIME_OPTIONS,
    environment: Object.assign(defaults, environment),
  };
}

function main() {
  const unsuitable = unsuitableRuntime(
    process.versions.node,
    process.platform,
    fs.existsSync(SOURCE),
  );
  if (unsuitable !== null) {
    process.stderr.write(`${unsuitable}\n`);
    process.exitCode = 1;
    return;
  }
  const folder = callersFolder(process.env);
  if (folder !== null) process.chdir(folder);
  const runtime = runtimeOf(process.env);
  const args = [process.execPath]
    .concat(process.execArgv, runtime.options, runtime.program)
    .concat(process.argv.slice(2));
  // The same process goes on, so signals and the exit code need nobody to pass them on.
  process.execve(process.execPath, args, runtime.environment);
}

module.exports = { callersFolder, runtimeOf, unsuitableRuntime };
if (require.main === module) main();
