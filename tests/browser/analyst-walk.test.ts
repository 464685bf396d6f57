import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/command-line.ts';
import {
  hasBrowser,
  SEEN_MS,
  type SimulatedService,
  startSimulatedService,
  TestBrowser,
  unexpectedOfToken,
  watch,
} from './support/browser.ts';

const START_MS = 300_000;
/** Writing the blocks and computing the finding again, twice. */
const CHECK_MS = 900_000;
const SOL_DIGITS = 9;

interface Detail {
  readonly id: string;
  readonly confidence_score: number;
  readonly evidence: readonly { readonly description: string }[];
}

interface Graph {
  readonly nodes: readonly {
    readonly address: string;
    readonly role: string | null;
    readonly sol_spent: string | null;
    readonly sol_received: string | null;
  }[];
  readonly edges: readonly {
    readonly kind: string;
    readonly from: string;
    readonly to: string;
    readonly sol_amount: string | null;
  }[];
}

/** What a command of the page printed. */
interface Printed {
  readonly exitCode: number;
  readonly output: string;
}

/**
 * The way of somebody who opens the address that `npm start` prints and has read nothing: why is a
 * token a fraud, who was paid, may I check it myself (docs/guides/understand-a-finding.md).
 */
describe.skipIf(!hasBrowser)('the way of an analyst through a simulated market', () => {
  let service: SimulatedService;
  let browser: TestBrowser;
  let page: Page;
  let problems: string[];
  let finding: Detail;
  /** What the analyst did, each once however often a test is repeated. */
  const steps = new Set<string>();

  const step = async (name: string, act: Promise<unknown>): Promise<void> => {
    await act;
    steps.add(name);
  };

  beforeAll(async () => {
    [service, browser] = await Promise.all([startSimulatedService(), TestBrowser.launch()]);
    page = await browser.newPage({
      viewport: { width: 1_440, height: 900 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    problems = watch(page, service.origin);
  }, START_MS);

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  test('the first finding on the first page leads to why it is one, as the API says', async () => {
    await step('open', page.goto(`${service.origin}/`));
    const newest = page.locator('section', { hasText: 'Fraud findings' }).locator('.feed-subject');
    await newest.first().waitFor({ timeout: START_MS });
    const href = (await newest.first().getAttribute('href')) ?? '';
    // Others may come above it while it is read.
    await step('a finding', page.locator(`.feed-subject[href="${href}"]`).click());
    await page.getByRole('heading', { name: 'Why is it flagged?' }).waitFor({ timeout: SEEN_MS });
    const id = new URL(page.url()).searchParams.get('finding') ?? '';
    await expect
      .poll(
        async () => {
          finding = await service.ask<Detail>(`/v1/fraud/classifications/${id}`);
          const shown = await page.locator('.evidence').allInnerTexts();
          return finding.evidence.filter(({ description }) => !shown.join().includes(description));
        },
        { timeout: SEEN_MS },
      )
      .toEqual([]);
    expect(finding.evidence.length).toBeGreaterThan(0);
    const confidence = `${(100 * finding.confidence_score).toFixed(1)}%`;
    await page.locator('.finding-statement').getByText(confidence).waitFor({ timeout: SEEN_MS });
  });

  test('a link there leads to who was paid, in the order of what stayed with each', async () => {
    await step('who was paid', page.getByRole('link', { name: 'Who was paid?' }).click());
    const table = page.getByRole('region', { name: /^Wallets of the finding/ });
    await table.locator('tbody tr').first().waitFor({ timeout: SEEN_MS });
    await expect.poll(() => isInSight(page, 'Who was paid?')).toBe(true);
    // The market goes on, and the page follows: both have the same payments at some moment.
    await expect
      .poll(
        async () => {
          const kept = keptByWallet(
            await service.ask<Graph>(`/v1/fraud/classifications/${finding.id}/graph`),
          );
          const most = Math.max(...kept.values());
          const first = await table.locator('tbody .address-link').first().getAttribute('title');
          const rows = Number(await table.locator('table').getAttribute('aria-rowcount')) - 1;
          const isFirst = (kept.get(first ?? '') ?? Number.NaN).toFixed(SOL_DIGITS);
          return [isFirst, rows].join() === [most.toFixed(SOL_DIGITS), kept.size].join();
        },
        { timeout: SEEN_MS },
      )
      .toBe(true);
  });

  test(
    'what the page says to run computes the same finding, and notices one that was changed',
    async () => {
      await step('check', page.getByRole('link', { name: 'May I check it myself?' }).click());
      const panel = page.locator('#check');
      await panel.getByText('verify finding.json').waitFor({ timeout: SEEN_MS });
      const folder = asClone();
      const path = join(folder, 'finding.json');
      const downloading = page.waitForEvent('download');
      await step('download', panel.getByRole('link', { name: 'Download the finding' }).click());
      await (await downloading).saveAs(path);
      const [, write, compare] = await panel.getByRole('button', { name: 'Copy command' }).all();
      if (write === undefined || compare === undefined) throw new Error('no commands are shown');
      await step('write', write.click());
      const written = await run(await copied(page), folder);
      expect(written, written.output).toMatchObject({ exitCode: 0 });
      await step('compare', compare.click());
      const command = await copied(page);
      const compared = await run(command, folder);
      expect(compared, compared.output).toMatchObject({ exitCode: 0 });
      expect(compared.output).toMatch(/^same: \d+ items$/m);
      const downloaded = JSON.parse(readFileSync(path, 'utf8')) as Detail;
      expect(downloaded.id).toBe(finding.id);
      writeFileSync(path, JSON.stringify({ ...downloaded, confidence_score: 0.1234 }));
      const changed = await run(command, folder);
      expect(changed.exitCode).not.toBe(0);
      expect(changed.output).toMatch(/confidence_score/);
      expect(steps.size).toBe(7);
      expect(unexpectedOfToken(problems)).toEqual([]);
    },
    CHECK_MS,
  );
});

/** Makes an empty folder work as a clone of the program, so that nothing is written into this one. */
function asClone(): string {
  const folder = temporaryFolder();
  copyFileSync('package.json', join(folder, 'package.json'));
  for (const name of ['bin', 'node_modules']) symlinkSync(resolve(name), join(folder, name));
  return folder;
}

async function run(command: string, cwd: string): Promise<Printed> {
  try {
    const { stdout } = await promisify(execFile)('sh', ['-ec', command], { cwd });
    return { exitCode: 0, output: stdout };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { exitCode: code, output: stdout + stderr };
  }
}

async function copied(page: Page): Promise<string> {
  return (await page.evaluate('navigator.clipboard.readText()')) as string;
}

async function isInSight(page: Page, heading: string): Promise<boolean> {
  const box = await page.getByRole('heading', { name: heading }).boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  return box !== null && box.y >= 0 && box.y + box.height <= height;
}

/** SOL that stayed with each wallet of a finding after they traded and paid each other. */
function keptByWallet({ nodes, edges }: Graph): ReadonlyMap<string, number> {
  const kept = new Map(
    nodes
      .filter(({ role }) => role !== null)
      .map((node) => [node.address, Number(node.sol_received ?? 0) - Number(node.sol_spent ?? 0)]),
  );
  for (const { kind, from, to, sol_amount } of edges) {
    const [payer, payee] = [kept.get(from), kept.get(to)];
    if (kind !== 'payment' || payer === undefined || payee === undefined || from === to) continue;
    const sol = Number(sol_amount ?? 0);
    kept.set(from, payer - sol);
    kept.set(to, payee + sol);
  }
  return kept;
}
