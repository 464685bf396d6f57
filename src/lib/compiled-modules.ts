/**
 * The environment variable that names Node's cache of compiled modules, if it is set here: with it
 * a thread or process starts in half the time. It holds no secret.
 */
export function compiledModules(): Record<string, string> {
  const { NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
}
