import { Command } from 'commander';
import { UsageError } from '../model/errors.ts';
import {
  DEFAULT_ACCOUNT,
  KEY_SCOPES,
  type KeyRecord,
  type KeyScope,
} from '../store/control/api-keys.ts';
import { openKeys } from '../store/store.ts';
import { addSettings, settingsOf } from './settings.ts';

const DAY_MS = 86_400_000;

/** `keys create|list|revoke`: works beside a running server, which follows within seconds. */
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
  mintscope keys revoke k7Jq2bXc`,
    );
}

function createCommand(): Command {
  const command = new Command('create')
    .description('Make a key and print it: the only time it is shown.')
    .option('--label <text>', 'what the key is for', '')
    .option('--account <id>', 'account the key belongs to', DEFAULT_ACCOUNT)
    .option('--scopes <list>', `comma list of ${KEY_SCOPES.join(', ')}`, 'read')
    .option('--expires-in-days <number>', 'days until the key stops working; never if left out')
    .option('--json', 'print JSON');
  return addSettings(command, false).action((options: Record<string, string | true>) => {
    const request = {
      accountId: accountOf(options.account),
      scopes: scopesOf(options.scopes),
      label: String(options.label ?? ''),
      expiresAtMs: expiryOf(options.expiresInDays),
    };
    withKeys(options, (keys) => {
      const { text, key } = keys.create(request);
      print(options.json === true ? JSON.stringify({ key: text, ...present(key) }) : text);
    });
  });
}

function listCommand(): Command {
  const command = new Command('list')
    .description('List keys, dead ones included. Secrets are not kept and not shown.')
    .option('--json', 'print one JSON array');
  return addSettings(command, false).action((options: Record<string, string | true>) => {
    withKeys(options, (keys) => {
      const rows = keys.list().map(present);
      if (options.json === true) print(JSON.stringify(rows));
      else for (const row of rows) print(lineOf(row));
    });
  });
}

function revokeCommand(): Command {
  const command = new Command('revoke')
    .description('Make a key stop working, for good.')
    .argument('<key id>', 'id as `keys list` shows it');
  return addSettings(command, false).action(
    (keyId: string, options: Record<string, string | true>) => {
      withKeys(options, (keys) => {
        if (!keys.revoke(keyId)) {
          throw new UsageError(`There is no key ${keyId}: see "mintscope keys list".`);
        }
        print(`revoked ${keyId}`);
      });
    },
  );
}

type Keys = ReturnType<typeof openKeys>['keys'];

function withKeys(options: Readonly<Record<string, unknown>>, use: (keys: Keys) => void): void {
  const { keys, close } = openKeys(settingsOf(options).dataDir);
  try {
    use(keys);
  } finally {
    close();
  }
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
    account_id: key.accountId,
    scopes: key.scopes,
    label: key.label,
    created_at: instant(key.createdAtMs),
    expires_at: instant(key.expiresAtMs),
    revoked_at: instant(key.revokedAtMs),
    last_used_at: instant(key.lastUsedAtMs),
  };
}

function lineOf(row: ReturnType<typeof present>): string {
  const state = row.revoked_at === null ? 'live   ' : 'revoked';
  const label = row.label === '' ? '-' : row.label;
  return `${row.key_id}  ${state}  ${row.created_at}  ${row.account_id}  ${row.scopes.join(',')}  ${label}`;
}

function instant(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString();
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
