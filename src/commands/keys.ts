import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { UsageError } from '../model/errors.ts';
import { OPERATOR } from '../model/rule-change.ts';
import {
  DEFAULT_ACCOUNT,
  KEY_SCOPES,
  type KeyRecord,
  type KeyScope,
} from '../store/control/api-keys.ts';
import { openKeys } from '../store/open-keys.ts';
import { serviceFolder } from './service-folder.ts';
import { addOnlySettings, settingsOf } from './settings.ts';

const DAY_MS = 86_400_000;
const LABEL_LENGTH_MAX = 100;

/**
 * `keys create|list|revoke`: may be used while a server is running, which applies changes within
 * seconds.
 */
export function keysCommand(): Command {
  return new Command('keys')
    .description('Manage API keys.')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(revokeCommand())
    .addHelpText(
      'after',
      `
Examples:
  mintscope keys create --label trading-bot --scopes read,triggers:write
  mintscope keys list --json
  mintscope keys revoke k7Jq2bXcT4m`,
    );
}

function createCommand(): Command {
  const command = new Command('create')
    .description('Create a key and print it. It is shown only once.')
    .option('--label <text>', 'what the key is for', '')
    .option('--account <id>', 'account the key belongs to', DEFAULT_ACCOUNT)
    .option('--scopes <list>', `comma-separated list of ${KEY_SCOPES.join(', ')}`, 'read')
    .option('--expires-in-days <number>', 'days until the key expires; default never')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Examples:
  mintscope keys create --label trading-bot --scopes read,triggers:write
  mintscope keys create --label trial --expires-in-days 30 --json`,
    );
  return addOnlySettings(command, ['dataDir']).action((options: Record<string, string | true>) => {
    const request = {
      accountId: accountOf(options.account),
      scopes: scopesOf(options.scopes),
      label: labelOf(options.label),
      expiresAtMs: expiryOf(options.expiresInDays),
    };
    withKeys(usedFolder(options), (keys) => {
      const { text, key } = keys.create(request);
      print(options.json === true ? JSON.stringify({ key: text, ...present(key) }) : text);
    });
  });
}

function listCommand(): Command {
  const command = new Command('list')
    .description('List all keys, including expired and revoked ones. Secrets are not stored.')
    .option('--json', 'print one JSON array')
    .addHelpText(
      'after',
      `
Each line contains the key's ID, its state (live, expired or revoked), creation and expiry times,
account, scopes and label.

Examples:
  mintscope keys list
  mintscope keys list --data-dir /var/lib/mintscope --json`,
    );
  return addOnlySettings(command, ['dataDir']).action((options: Record<string, string | true>) => {
    withKeys(existingFolder(options), (keys) => {
      const rows = keys.list().map(present);
      if (options.json === true) print(JSON.stringify(rows));
      else for (const row of rows) print(lineOf(row));
      if (rows.length === 0) note('There are no keys: "mintscope keys create" makes one.');
    });
  });
}

function revokeCommand(): Command {
  const command = new Command('revoke')
    .description('Revoke a key permanently.')
    .argument('<key id>', 'id as `keys list` shows it')
    .addHelpText(
      'after',
      `
Example:
  mintscope keys revoke k7Jq2bXcT4m`,
    );
  return addOnlySettings(command, ['dataDir']).action(
    (keyId: string, options: Record<string, string | true>) => {
      withKeys(existingFolder(options), (keys) => {
        if (!keys.revoke(keyId)) {
          throw new UsageError(`There is no key ${keyId}: see "mintscope keys list".`);
        }
        print(`revoked ${keyId}`);
      });
    },
  );
}

type Keys = ReturnType<typeof openKeys>['keys'];

function withKeys(dataDir: string, use: (keys: Keys) => void): void {
  const { keys, close } = openKeys(dataDir);
  try {
    use(keys);
  } finally {
    close();
  }
}

/** Opening would create the folder, and a mistyped one would look like a service without keys. */
function existingFolder(options: Readonly<Record<string, unknown>>): string {
  const dataDir = usedFolder(options);
  if (!existsSync(dataDir)) {
    throw new UsageError(`There is no folder ${dataDir}: name the data folder with --data-dir.`);
  }
  return dataDir;
}

/** The folder of the service that these options mean, with a note if it is of a simulated market. */
function usedFolder(options: Readonly<Record<string, unknown>>): string {
  const { dataDir } = settingsOf(options);
  const folder = serviceFolder(dataDir);
  if (folder !== dataDir) note(`Keys of the simulated market in ${folder}.`);
  return folder;
}

/** For people: standard output is for keys alone, which scripts read. */
function note(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

/** Labels are printed on a terminal line and must not contain line breaks or control sequences. */
function labelOf(text: unknown): string {
  const label = String(text ?? '');
  if ([...label].length > LABEL_LENGTH_MAX || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(label)) {
    throw new UsageError(
      `A label is at most ${LABEL_LENGTH_MAX} characters, without line breaks and other control characters.`,
    );
  }
  return label;
}

function scopesOf(text: unknown): KeyScope[] {
  const names = String(text ?? 'read').split(',');
  return names.map((name) => {
    const scope = KEY_SCOPES.find((known) => known === name.trim());
    if (scope === undefined) {
      throw new UsageError(`There is no scope "${name}": choose from ${KEY_SCOPES.join(', ')}.`);
    }
    return scope;
  });
}

function accountOf(text: unknown): string {
  const account = String(text ?? DEFAULT_ACCOUNT);
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(account)) {
    throw new UsageError('An account id is 1 to 64 letters, digits, dots, dashes or underscores.');
  }
  if (account === OPERATOR) {
    throw new UsageError(
      `The account "${OPERATOR}" is who runs the service and its rules for all: choose another id.`,
    );
  }
  return account;
}

function expiryOf(text: unknown): number | null {
  if (text === undefined) return null;
  const days = Number(text);
  if (!(days > 0 && days <= 36_500)) {
    throw new UsageError('--expires-in-days must be a positive number of days.');
  }
  return Date.now() + Math.round(days * DAY_MS);
}

function present(key: KeyRecord) {
  return {
    key_id: key.keyId,
    state: stateOf(key),
    account_id: key.accountId,
    scopes: key.scopes,
    label: key.label,
    created_at: instant(key.createdAtMs),
    expires_at: instant(key.expiresAtMs),
    revoked_at: instant(key.revokedAtMs),
    last_used_at: instant(key.lastUsedAtMs),
  };
}

function stateOf(key: KeyRecord): 'live' | 'expired' | 'revoked' {
  if (key.revokedAtMs !== null) return 'revoked';
  return key.expiresAtMs !== null && key.expiresAtMs <= Date.now() ? 'expired' : 'live';
}

function lineOf(row: ReturnType<typeof present>): string {
  const expiry = row.expires_at === null ? 'never expires' : `expires ${row.expires_at}`;
  return [
    row.key_id,
    row.state.padEnd('revoked'.length),
    row.created_at,
    expiry.padEnd('expires 2026-01-01T00:00:00.000Z'.length),
    row.account_id,
    row.scopes.join(','),
    row.label === '' ? '-' : row.label,
  ].join('  ');
}

function instant(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString();
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
