import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { SimulatedBlock } from '../../simulator/chain/simulated-transaction.ts';
import { toChainBlock } from '../../simulator/faces/to-chain-block.ts';
import { BlockFiles } from '../../simulator/faces/write-blocks.ts';
import { presentDetail } from '../../src/api/present/present-classification.ts';
import { createRecordedSource } from '../../src/chain/recorded/recorded-source.ts';
import type { PublishedFinding } from '../../src/commands/read-finding.ts';
import { refoldFinding } from '../../src/commands/refold-finding.ts';
import { type Verdict, verdictOf } from '../../src/commands/verify.ts';
import { readConfig } from '../../src/config/config.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { Engine } from '../../src/engine/engine.ts';
import { confidencesWithout } from '../../src/fraud/scoring/confidence-without.ts';
import { type Classification, FRAUD_TYPES, type FraudType } from '../../src/model/fraud.ts';
import type { Address, PriceE18 } from '../../src/model/units.ts';
import { openService } from '../../src/service/app.ts';
import { apiInThread } from '../support/api-in-thread.ts';
import { runCommand, temporaryFolder } from '../support/command-line.ts';
import { runAttack } from '../support/scenario-stage.ts';

const SOL_USD = 180;
const fallbackSolUsd = (BigInt(SOL_USD) * 10n ** 18n) as PriceE18;

/** An attack that is easy to detect, alone on its chain, and its token. */
function marketOf(type: FraudType): { readonly blocks: readonly SimulatedBlock[]; mint: Address } {
  const { blocks, attack } = runAttack(type, 'easy', 'verify 1');
  if (attack === null) throw new Error(`no ${type}`);
  return { blocks, mint: attack.mint };
}

/** The most confident finding of a type, as the service would publish it. */
function publishedFinding(
  type: FraudType,
  mint: Address,
  blocks: readonly SimulatedBlock[],
): PublishedFinding {
  const engine = new Engine({ fallbackSolUsd });
  let best: Classification | null = null;
  for (const block of blocks) {
    for (const one of engine.apply(decodeBlock(toChainBlock(block))).classifications) {
      const { fraudType, confidence, mint: accused } = one.finding;
      if (fraudType !== type || accused !== mint) continue;
      if (confidence > (best?.finding.confidence ?? 0)) best = one;
    }
  }
  if (best === null) throw new Error(`no ${type} was found`);
  const detail = {
    classification: best,
    status: 'active' as const,
    confidencesWithout: confidencesWithout(best),
    reviews: [],
  };
  return JSON.parse(JSON.stringify(presentDetail(detail)));
}

/** Writes blocks to files of `getBlock` answers. */
async function filesOf(blocks: readonly SimulatedBlock[]): Promise<string> {
  const folder = temporaryFolder();
  const options = { folder, encoding: 'base64', compression: null, blocksPerFile: 500 } as const;
  const files = new BlockFiles(options);
  for (const block of blocks) await files.add(block);
  await files.finish();
  return folder;
}

async function verdictFor(
  published: PublishedFinding,
  blocks: readonly SimulatedBlock[],
): Promise<Verdict> {
  const source = createRecordedSource([await filesOf(blocks)]);
  const problems: unknown[] = [];
  const engine = new Engine({ fallbackSolUsd });
  const refolded = await refoldFinding(source, published, engine, (one) => problems.push(one));
  expect(problems).toEqual([]);
  return verdictOf(published, refolded);
}

/** Removes the first transaction of the evidence from its block. */
function tampered(
  published: PublishedFinding,
  blocks: readonly SimulatedBlock[],
): SimulatedBlock[] {
  const shown = published.evidence.flatMap(({ data }) =>
    data.type === 'transaction' ? data.payload.signatures : [],
  );
  const isShown = (signatures: readonly string[]) => shown.includes(signatures[0] ?? '');
  let isOut = false;
  return blocks.map((block) => ({
    ...block,
    transactions: block.transactions.filter(({ signatures }) => {
      if (isOut || !isShown(signatures)) return true;
      isOut = true;
      return false;
    }),
  }));
}

describe.each(FRAUD_TYPES)('a finding of %s', (type) => {
  const { blocks, mint } = marketOf(type);
  let published: PublishedFinding;

  beforeAll(() => {
    published = publishedFinding(type, mint, blocks);
  });

  test('equals what its raw blocks give, item by item', async () => {
    const verdict = await verdictFor(published, blocks);
    expect(verdict.items.filter(({ is_same }) => !is_same)).toEqual([]);
    expect(verdict).toMatchObject({ is_same: true, found_id: published.id });
    expect(verdict.items.length).toBeGreaterThan(8 + published.features.length);
  });

  test('differs once a transaction of its evidence is removed from the blocks', async () => {
    const verdict = await verdictFor(published, tampered(published, blocks));
    expect(verdict.is_same).toBe(false);
  });
});

test('the command verifies a finding of the service, and rejects a falsified one', async () => {
  const { blocks, mint } = marketOf('traditional_bundle');
  const folder = await filesOf(blocks);
  const flags = { dataDir: temporaryFolder(), solUsdFallback: String(SOL_USD) };
  const service = await openService(readConfig({}, flags));
  await service.ingestion.ingest(createRecordedSource([folder]));
  service.store.keys.installBootstrap('verify-test-key');
  const api = await apiInThread(service);
  const get = async (url: string) =>
    await api.inject({ url, headers: { 'x-api-key': 'verify-test-key' } });
  const check = (await get(`/v1/fraud/check?token_address=${mint}`)).json();
  expect(check.is_fraudulent).toBe(true);
  const answer = await get(`/v1/fraud/classifications/${check.classifications[0].id}`);
  await api.close();
  await service.close();

  const finding = join(temporaryFolder(), 'finding.json');
  writeFileSync(finding, answer.body);
  const verify = ['verify', finding, folder, '--sol-usd-fallback', String(SOL_USD)];
  const honest = await runCommand(verify);
  expect([honest.exitCode, honest.stderr]).toEqual([0, '']);
  expect(honest.stdout).toMatch(/\nsame: \d+ items\n$/);
  writeFileSync(finding, JSON.stringify({ ...answer.json(), raw_score: 0.5 }));
  const forged = await runCommand(verify);
  expect(forged.exitCode).toBe(1);
  expect(forged.stdout).toContain('different  raw_score\n  told     0.5\n');
});
