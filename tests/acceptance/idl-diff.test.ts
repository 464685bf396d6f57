import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  anchorIdlAccount,
  metadataIdlAccount,
  type PlacedAccount,
  placedAccounts,
} from '../../simulator/faces/node/idl-accounts.ts';
import { pumpLayout } from '../../src/decoders/families/pump-layout.ts';
import { LAYOUTS, layoutNamed } from '../../src/decoders/layouts.ts';
import { pump } from '../../src/decoders/programs/pump.ts';
import type { Address } from '../../src/model/units.ts';
import { runCommand, temporaryFolder, writeLines } from '../support/command-line.ts';
import { FollowedChain } from '../support/followed-chain.ts';
import { hasTestData, testData } from '../support/test-data.ts';

interface RawIdl {
  readonly address?: string;
  readonly instructions: {
    name: string;
    discriminator: number[];
    accounts: { name: string }[];
  }[];
  readonly types: { name: string; type: { fields?: { name: string; type: string }[] } }[];
}

interface Difference {
  readonly kind: string;
  readonly message: string;
}

interface Report {
  readonly program: string;
  readonly is_current: boolean;
  readonly differences: readonly Difference[];
}

const bytesOf = (hex: string) => [...Buffer.from(hex, 'hex')];

const INSTRUCTION_COUNT = Object.keys(pumpLayout.instructions).length;

/** An interface that contains exactly what the layout of pump reads. */
function idlOfLayout(): RawIdl {
  const read = Object.entries(pumpLayout.instructions).map(([name, entry]) => {
    const positions = Object.entries(entry.accounts);
    const length = Math.max(...positions.map(([, position]) => position)) + 1;
    const accounts = Array.from({ length }, (_, at) => ({
      name: positions.find(([, position]) => position === at)?.[0] ?? `other_${at}`,
    }));
    return { name, discriminator: bytesOf(entry.discriminator), accounts };
  });
  const types = Object.entries(pumpLayout.events).map(([name, { fields }]) => ({
    name,
    type: { kind: 'struct', fields: fields.map((field) => ({ name: field, type: 'u64' })) },
  }));
  const events = Object.entries(pumpLayout.events).map(([name, { discriminator }]) => ({
    name,
    discriminator: bytesOf(discriminator),
  }));
  const address = pump.programId;
  return { address, instructions: read, events, types } as RawIdl;
}

async function diff(args: readonly string[]): Promise<{ exitCode: number | null; report: Report }> {
  const { stdout, stderr, exitCode } = await runCommand(['idl', 'diff', ...args, '--json']);
  if (exitCode === 2) throw new Error(stderr);
  return { exitCode, report: JSON.parse(stdout) as Report };
}

function written(idl: unknown): string {
  return writeLines(temporaryFolder(), 'idl.json', [idl]);
}

const harmful = ({ differences }: Report) =>
  differences
    .filter(({ kind }) => kind !== 'absent')
    .map(({ kind, message }) => `${kind}: ${message}`);

describe('idl diff', () => {
  test('reports exactly the changes of an interface', async () => {
    const idl = idlOfLayout();
    const at = (name: string) => {
      const found = idl.instructions.find((instruction) => instruction.name === name);
      if (found === undefined) throw new Error(`no instruction ${name}`);
      return found;
    };
    // A moved account, a renamed one, an inserted field, a renamed instruction and a new one.
    at('migrate').accounts.splice(3, 0, { name: 'put_in' });
    const renamed = at('create').accounts[7];
    if (renamed === undefined) throw new Error('create reads account 7');
    renamed.name = 'payer';
    at('sell').name = 'sell_base';
    idl.types
      .find(({ name }) => name === 'CompletePumpAmmMigrationEvent')
      ?.type.fields?.splice(1, 0, {
        name: 'quote_mint',
        type: 'pubkey',
      });
    idl.instructions.push({
      name: 'buy_v9',
      discriminator: [9, 9, 9, 9, 9, 9, 9, 9],
      accounts: [],
    });
    const { exitCode, report } = await diff([written(idl)]);
    expect([exitCode, report.program, report.is_current]).toEqual([1, 'pump', false]);
    expect(harmful(report).sort()).toEqual([
      'misread: associated_bonding_curve of migrate is read at position 4 and stands at 5',
      'misread: bonding_curve of migrate is read at position 3 and stands at 4',
      'misread: mint of CompletePumpAmmMigrationEvent is read as field 1, where quote_mint stands, and 7 after it are elsewhere too',
      'misread: pool of migrate is read at position 9 and stands at 10',
      'missed: the instruction buy_v9 (0909090909090909) is not known',
      'renamed: the instruction sell is called sell_base',
      'renamed: user of create is read at position 7, where payer stands',
    ]);
  });

  test('reports in words what it found and which input cannot be used', async () => {
    const file = written(idlOfLayout());
    const { stdout, exitCode } = await runCommand(['idl', 'diff', file]);
    expect([stdout, exitCode]).toEqual([
      `pump: ${file} (${INSTRUCTION_COUNT} instructions, ${Object.keys(pumpLayout.events).length} events): no differences\n`,
      0,
    ]);
    const refused = async (idl: unknown, more: readonly string[] = []) => {
      const answer = await runCommand(['idl', 'diff', written(idl), ...more]);
      expect([answer.exitCode, answer.stdout]).toEqual([2, '']);
      return answer.stderr;
    };
    expect(await refused({ a: 1 })).toMatch(
      /^mintscope: ".*" is not an IDL: it lists no instructions.\n$/,
    );
    const { address: _, ...unnamed } = idlOfLayout();
    expect(await refused(unnamed)).toContain('name it with --program');
    expect(await refused({ ...unnamed, address: 'x' })).toContain(
      'no layout for the program of the file',
    );
    expect(await refused(unnamed, ['--program', 'poke'])).toContain('choose from pump, pump_amm');
    expect(await diff([written(unnamed), '--program', 'pump'])).toMatchObject({ exitCode: 0 });
  });

  test.skipIf(!hasTestData).each([
    ['pump.2025-07', [], 0],
    ['pump_amm.2025-07', [], 0],
    ['pump.2024', [], 0],
    ['meteora_dbc', [], 0],
    ['whirlpool_0.30.1.codama', [], 0],
    ['orca_whirlpool', ['--program', 'orca_whirlpool'], 0],
    ['raydium_amm_v4.official', ['--program', 'raydium_amm_v4'], 0],
    ['meteora_dlmm', ['--program', 'meteora_dlmm'], 0],
  ] as const)(
    'finds nothing missed or misread in %s',
    async (name, more, code) => {
      const file = resolve(testData, 'idl', `${name}.json`);
      const { exitCode, report } = await diff([file, ...more]);
      expect([harmful(report), exitCode]).toEqual([[], code]);
    },
    300_000,
  );

  test.skipIf(!hasTestData)(
    'finds an account and a field that were moved within a published file',
    async () => {
      const text = readFileSync(resolve(testData, 'idl', 'pump.2025-07.json'), 'utf8');
      const idl = JSON.parse(text) as RawIdl;
      const buy = idl.instructions.find(({ name }) => name === 'buy');
      buy?.accounts.unshift({ name: 'put_in' });
      const trade = idl.types.find(({ name }) => name === 'TradeEvent');
      const fields = trade?.type.fields ?? [];
      const [, second, third] = fields;
      if (second === undefined || third === undefined) throw new Error('a trade has three fields');
      fields.splice(1, 2, third, second);
      const { exitCode, report } = await diff([written(idl)]);
      const found = harmful(report);
      expect(exitCode).toBe(1);
      // The layout reads six accounts of buy; the published trade has sol_amount, then
      // token_amount.
      expect(
        found.filter((line) => /^misread: \w+ of buy is read at position \d+ and/.test(line)),
      ).toHaveLength(6);
      expect(found.filter((line) => line.includes('of TradeEvent'))).toEqual([
        'misread: sol_amount of TradeEvent is read as field 1, where token_amount stands, and 1 after it are elsewhere too',
      ]);
      expect(found).toHaveLength(7);
    },
    300_000,
  );
});

interface Finding {
  readonly status: string;
  readonly subject: string;
  readonly check: string;
  readonly message: string;
  readonly differences: readonly Difference[];
}

describe('doctor --idl', () => {
  const program = (name: string): Address => {
    const found = layoutNamed(name);
    if (found === null) throw new Error(`no layout of ${name}`);
    return found.programId;
  };

  async function examine(accounts: readonly PlacedAccount[]) {
    await using chain = await FollowedChain.start({
      slots: 10,
      nodes: [{ options: { dataAccounts: placedAccounts(accounts) } }],
    });
    const url = chain.endpoints[0]?.url ?? '';
    const { stdout, exitCode } = await runCommand(['doctor', '--idl', '--rpc-url', url, '--json']);
    const { findings } = JSON.parse(stdout) as { findings: readonly Finding[] };
    return {
      exitCode,
      findings,
      of: (name: string) => findings.find((one) => one.subject === name),
    };
  }

  test('reads both kinds of IDL accounts and reports a result for each program', async () => {
    const changed = idlOfLayout();
    changed.instructions.push({
      name: 'buy_v9',
      discriminator: [9, 9, 9, 9, 9, 9, 9, 9],
      accounts: [],
    });
    const good = JSON.stringify(idlOfLayout());
    const { exitCode, findings, of } = await examine([
      metadataIdlAccount(program('pump'), JSON.stringify(changed)),
      // The Anchor account is older than the program metadata, so it is ignored.
      anchorIdlAccount(program('pump'), good),
      anchorIdlAccount(program('pump_amm'), good),
      metadataIdlAccount(program('boop'), '', {
        source: 1,
        payload: Buffer.from('https://a.example/idl'),
      }),
      anchorIdlAccount(program('heaven'), '{"instructions":'),
    ]);
    expect(exitCode).toBe(1);
    expect(findings.map(({ subject }) => subject)).toEqual(LAYOUTS.map(({ name }) => name));
    expect(of('pump')).toMatchObject({
      status: 'fail',
      check: 'idl',
      message: `program metadata, ${INSTRUCTION_COUNT + 1} instructions: 1 missed: the instruction buy_v9 (0909090909090909) is not known`,
      differences: [{ kind: 'missed' }],
    });
    expect(of('pump_amm')).toMatchObject({
      status: 'warn',
      message: 'cannot be compared (Anchor account): the interface is of another program',
    });
    expect(of('boop')?.message).toContain('behind a URL, which is not followed');
    expect(of('heaven')?.message).toContain('it is not JSON');
    expect(of('raydium_cpmm')).toMatchObject({
      status: 'ok',
      message: 'the program keeps no interface on the chain',
    });
  });

  test('reports one finding per malformed account, and ends with 0 when nothing is wrong', async () => {
    const bomb = Buffer.alloc(50_000_000, ' ').toString();
    const { exitCode, of } = await examine([
      anchorIdlAccount(program('pump'), JSON.stringify(idlOfLayout())),
      anchorIdlAccount(program('pump_amm'), bomb),
      anchorIdlAccount(program('boop'), '['.repeat(5_000_000)),
      anchorIdlAccount(program('heaven'), '', { payload: Uint8Array.of(1, 2, 3) }),
      anchorIdlAccount(
        program('invariant'),
        JSON.stringify({ instructions: Array(100_000).fill(1) }),
      ),
      metadataIdlAccount(program('phoenix'), '{}', { length: 2 ** 32 - 1 }),
    ]);
    expect([exitCode, of('pump')?.message]).toEqual([
      0,
      `Anchor account, ${INSTRUCTION_COUNT} instructions: no differences`,
    ]);
    const reasons = ['pump_amm', 'boop', 'heaven', 'invariant', 'phoenix'].map((name) => of(name));
    expect(reasons.map((found) => found?.status)).toEqual(Array(5).fill('warn'));
    expect(reasons.map((found) => found?.message.replace(/.*\): /, ''))).toEqual([
      'the interface is longer than 8388608 bytes',
      'it is nested too deep',
      'the interface is not compressed with zlib',
      'instructions has more than 4096 entries',
      'the account ends before its interface does',
    ]);
  });

  test('warns of each program when the node does not answer', async () => {
    const { stdout, exitCode } = await runCommand([
      'doctor',
      '--idl',
      '--rpc-url',
      'http://127.0.0.1:9/',
    ]);
    expect(exitCode).toBe(0);
    expect(stdout.split('\n').filter((line) => line.startsWith('warn'))).toHaveLength(
      LAYOUTS.length,
    );
  });
});
