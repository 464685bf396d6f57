import type { Detector } from '../../../fraud/contract/detector.ts';
import type { RealmJson } from './bridge-reading.ts';

/** A file of a module as a function of the realm, or the text of a JSON file. */
export type RealmFile =
  | ((
      exports: unknown,
      module: { exports: unknown },
      require: (name: string) => unknown,
      guard: unknown,
    ) => void)
  | string;

/** The files of a module. None of it throws. */
export interface ModuleFiles {
  readonly main: string;
  /** The file that a file requires; null if there is none. */
  readonly resolve: (from: string, name: string) => string | null;
  readonly file: (path: string) => RealmFile;
}

/**
 * Loads a module as Node does with CommonJS, and returns its detector. `guard` is what its code
 * counts its work with. Runs in the realm, so it refers to nothing outside.
 */
export function loadDetector(files: ModuleFiles, json: RealmJson, guard: unknown): Detector {
  const loaded = new Map<string, { exports: unknown }>();
  const load = (path: string): unknown => {
    const known = loaded.get(path);
    if (known !== undefined) return known.exports;
    const module: { exports: unknown } = { exports: {} };
    loaded.set(path, module);
    const file = files.file(path);
    if (typeof file === 'string') module.exports = json.parse(file);
    else file(module.exports, module, requireFrom(path), guard);
    return module.exports;
  };
  const requireFrom = (from: string) => (name: string) => {
    const path = files.resolve(from, `${name}`);
    if (path === null) throw new Error(`There is no file ${name} in the module.`);
    return load(path);
  };
  const { detector } = load(files.main) as { readonly detector?: Detector };
  if (typeof detector !== 'object' || detector === null) {
    throw new Error('It does not export a detector.');
  }
  return detector;
}
