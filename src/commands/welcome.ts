import type { Service } from '../app.ts';
import type { Config } from '../config-settings.ts';
import { DEFAULT_ACCOUNT, KEY_SCOPES } from '../store/control/api-keys.ts';

/** Says how a listening service is asked. Returns what stands for the key in a command line. */
export function welcome(config: Config, url: string, key: string | null): string {
  const isBootstrap = config.bootstrapKey !== null;
  const lines = [`Mintscope listens on ${url}; its reference is at ${url}/docs`];
  if (key !== null) {
    lines.push(`API key, shown this once: ${key}`);
    lines.push(`curl -H 'X-API-Key: ${key}' ${url}/readyz`);
  } else if (isBootstrap) {
    lines.push('The bootstrap key is installed.');
    lines.push(`curl -H "X-API-Key: $MINTSCOPE_BOOTSTRAP_KEY" ${url}/readyz`);
  } else {
    lines.push(
      'API keys exist: "mintscope keys list" shows them, "mintscope keys create" makes one.',
    );
  }
  process.stdout.write(`${lines.join('\n')}\n`);
  return key ?? (isBootstrap ? '$MINTSCOPE_BOOTSTRAP_KEY' : 'your-key');
}

/**
 * Makes sure that a key exists, before anybody can ask. Returns one that was made now, which is shown
 * this once; null where there was one.
 */
export function ensureKey({ store }: Service, config: Config): string | null {
  if (config.bootstrapKey !== null) {
    const state = store.keys.installBootstrap(config.bootstrapKey);
    if (state !== 'revoked') return null;
  }
  if (store.keys.list().length > 0) return null;
  const request = {
    accountId: DEFAULT_ACCOUNT,
    scopes: KEY_SCOPES,
    label: 'first start',
    expiresAtMs: null,
  };
  return store.keys.create(request).text;
}

/** Where a listening service is reached from this machine. */
export function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
