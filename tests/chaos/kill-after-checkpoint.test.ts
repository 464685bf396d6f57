import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readBlock } from '../../src/chain/rpc-json/read-block.ts';
import type { SourceItem } from '../../src/chain/source.ts';
import { readConfig } from '../../src/config/config.ts';
import { openService } from '../../src/service/app.ts';
import { dataFolderAt } from '../../src/store/data-folder.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { itemSource } from '../support/item-source.ts';
import { marketBlocks } from '../support/market-blocks.ts';
import { storedRows } from '../support/stored-rows.ts';

const INGESTER = fileURLToPath(new URL('../support/ingest-until-killed.ts', import.meta.url));
const [BEFORE, AFTER] = [40, 12];

const blocks = marketBlocks(BEFORE + AFTER).map((value): SourceItem => {
  const reading = readBlock(value);
  if (reading.status !== 'ok') throw new Error(`the block was ${reading.status}`);
  return { kind: 'block', block: reading.value };
});

/**
 * Ingests all blocks, some of which may be stored; reports how many slots of the log were folded.
 */
async function finish(dataDir: string) {
  let folded = 0;
  const refused: string[] = [];
  const service = await openService(readConfig({}, { dataDir, solUsdFallback: '150' }), {
    onFold: () => folded++,
    onStateProblem: (sentence) => refused.push(sentence),
  });
  const result = await service.ingestion.ingest(itemSource(blocks, true));
  const digest = service.ingestion.engine.digest();
  const { refolds } = service.ingestion.status;
  await service.close();
  return { folded, refused, digest, refolds, result, rows: await storedRows(dataDir) };
}

describe('a process killed after it stored a checkpoint (F-01)', () => {
  test('folds only the log after the checkpoint when restarted, and gives the state of a calm run', async () => {
    const [dataDir, calmDir] = [temporaryFolder(), temporaryFolder()];
    const { signal, stdout } = spawnSync(
      process.execPath,
      [INGESTER, dataDir, `${BEFORE}`, `${AFTER}`],
      {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, NODE_NO_WARNINGS: '1' },
      },
    );
    expect([signal, stdout]).toEqual(['SIGKILL', 'stored\n']);
    const names = readdirSync(join(dataFolderAt(dataDir).stateFolder, 'fold-1'));
    expect(names.filter((name) => name.startsWith('checkpoint-'))).toEqual([
      `checkpoint-${1_000 + BEFORE - 1}-1.bin`,
    ]);

    const killed = await finish(dataDir);
    const calm = await finish(calmDir);
    expect(killed.folded).toBe(AFTER - 1);
    expect([calm.folded, calm.refused, killed.refused]).toEqual([0, [], []]);
    expect(killed.result.slotsAdded).toBe(1);
    expect(killed.refolds).toBe(0);
    expect(killed.digest).toBe(calm.digest);
    expect(killed.rows).toEqual(calm.rows);
  });
});
