import { readFileSync } from 'node:fs';

/** How `npm start` runs the service. */
export interface StartScript {
  readonly environment: Readonly<Record<string, string>>;
  /** Options of the runtime, before the program. */
  readonly options: readonly string[];
}

/** The start script of package.json, so that benches run the service as an operator does. */
export function startScript(): StartScript {
  const manifest = new URL('../package.json', import.meta.url);
  const { scripts } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    readonly scripts: { readonly start: string };
  };
  const words = scripts.start.split(' ');
  const runtimeAt = words.indexOf('node');
  return {
    environment: Object.fromEntries(words.slice(0, runtimeAt).map((word) => word.split('='))),
    options: words.slice(runtimeAt + 1).filter((word) => word.startsWith('--')),
  };
}
