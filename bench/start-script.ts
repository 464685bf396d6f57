import { createRequire } from 'node:module';

/** How `npm start` and the installed command run the service. */
export interface StartScript {
  readonly environment: Readonly<Record<string, string>>;
  /** Options of the runtime, before the program. */
  readonly options: readonly string[];
}

interface StartModule {
  runtimeOf(environment: Readonly<Record<string, string>>): StartScript;
}

/** What `bin/mintscope.cjs` sets, so that benches run the service as an operator does. */
export function startScript(): StartScript {
  const { runtimeOf } = createRequire(import.meta.url)('../bin/mintscope.cjs') as StartModule;
  const { environment, options } = runtimeOf({});
  return { environment, options };
}
