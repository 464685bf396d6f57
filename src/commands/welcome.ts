import type { Config } from '../config/config-settings.ts';
import type { Service } from '../service/app.ts';
import { DEFAULT_ACCOUNT, KEY_SCOPES } from '../store/control/api-keys.ts';

/**
 * Prints how to use a listening service. Returns the placeholder or text of its key for command
 * lines.
 */
export function welcome(url: string, key: StartKey): string {
  const lines = [
    `Dashboard: ${url}/`,
    `Mintscope listens on ${url}; its reference is at ${url}/docs`,
  ];
  if (key.kind === 'created') {
    lines.push(`API key, shown this once: ${key.text}`);
    lines.push(`curl -H 'X-API-Key: ${key.text}' ${url}/readyz`);
  } else if (key.kind === 'bootstrap') {
    lines.push('The bootstrap key is installed.');
    lines.push(`curl -H "X-API-Key: $MINTSCOPE_BOOTSTRAP_KEY" ${url}/readyz`);
  } else {
    if (key.kind === 'revoked') {
      lines.push('The bootstrap key was revoked and opens nothing: configure another.');
    }
    lines.push(
      'API keys exist: "mintscope keys list" shows them, "mintscope keys create" makes one.',
    );
  }
  process.stdout.write(`${lines.join('\n')}\n`);
  if (key.kind === 'created') return key.text;
  return key.kind === 'bootstrap' ? '$MINTSCOPE_BOOTSTRAP_KEY' : 'your-key';
}

/** State of the API keys after a start. */
export type StartKey =
  /** A new key was created; it is shown only once. */
  | { readonly kind: 'created'; readonly text: string }
  /** The configured key is valid. */
  | { readonly kind: 'bootstrap' }
  /** The configured key was revoked; other keys exist or existed. */
  | { readonly kind: 'revoked' }
  /** No key is configured; keys exist or existed. */
  | { readonly kind: 'existing' };

/** Ensures that the service has had a key, before it starts listening. */
export function ensureKey({ store }: Service, config: Config): StartKey {
  if (config.bootstrapKey !== null) {
    const state = store.keys.installBootstrap(config.bootstrapKey);
    return { kind: state === 'revoked' ? 'revoked' : 'bootstrap' };
  }
  if (store.keys.list().length > 0) return { kind: 'existing' };
  const request = {
    accountId: DEFAULT_ACCOUNT,
    scopes: KEY_SCOPES,
    label: 'first start',
    expiresAtMs: null,
  };
  return { kind: 'created', text: store.keys.create(request).text };
}

/** The host for URLs of the service on this machine. */
export function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
