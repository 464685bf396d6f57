import type { Config } from '../config/config-settings.ts';
import { printAbove } from '../lib/terminal/print-above.ts';
import { type Terminal, terminalOf } from '../lib/terminal/terminal.ts';
import type { Service } from '../service/app.ts';
import { DEFAULT_ACCOUNT, KEY_SCOPES } from '../store/control/api-keys.ts';
import { keysExist, REVOKED, type StartKey } from './start-key.ts';
import { startBox } from './terminal/start-box.ts';

/**
 * Prints how to use a listening service: in a box on a terminal, in plain lines for programs. Returns
 * the placeholder or text of its key for command lines.
 */
export function welcome(
  url: string,
  key: StartKey,
  dataDir: string,
  terminal: Terminal | null = terminalOf(1),
): string {
  if (terminal !== null) {
    const { columns, style } = terminal;
    printAbove(terminal, startBox({ url, key, dataDir, columns: columns(), style }));
    return '$MINTSCOPE_API_KEY';
  }
  process.stdout.write(`${plainWelcome(url, key, dataDir).join('\n')}\n`);
  if (key.kind === 'created') return key.text;
  return key.kind === 'bootstrap' ? '$MINTSCOPE_BOOTSTRAP_KEY' : 'your-key';
}

function plainWelcome(url: string, key: StartKey, dataDir: string): string[] {
  return [
    `Dashboard: ${url}/`,
    `Mintscope listens on ${url}; its documentation is at ${url}/docs`,
    ...keyLines(url, key, dataDir),
  ];
}

function keyLines(url: string, key: StartKey, dataDir: string): string[] {
  if (key.kind === 'created') {
    return [
      `API key, shown this once: ${key.text}`,
      `curl -H 'X-API-Key: ${key.text}' ${url}/readyz`,
    ];
  }
  if (key.kind === 'bootstrap') {
    return [
      'The bootstrap key is installed.',
      `curl -H "X-API-Key: $MINTSCOPE_BOOTSTRAP_KEY" ${url}/readyz`,
    ];
  }
  return [...(key.kind === 'revoked' ? [REVOKED] : []), keysExist(dataDir)];
}

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
