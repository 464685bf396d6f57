import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../src/config/config.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { openService } from '../../src/service/app.ts';
import { openControlPlane } from '../../src/store/control/control-plane.ts';
import { dataFolderAt } from '../../src/store/data-folder.ts';
import { openDataPlane } from '../../src/store/data-plane.ts';
import { temporaryFolder } from './command-line.ts';
import { marketFacts } from './followed-market.ts';
import { finalSlots } from './market-ingestion.ts';
import { storedRows } from './stored-rows.ts';

/** What a start reports, and the state after it. */
export interface Reopened {
  /** Reported losses of data, before any request is possible. */
  readonly lost: readonly string[];
  /** Reported states that were not used, and what was removed. */
  readonly stateProblems: readonly string[];
  /** Slots reported as missing, as on the readiness page and in the metrics. */
  readonly missing: readonly { readonly from: number; readonly to: number }[];
  readonly missingSlots: number;
  readonly digest: string;
  readonly refolds: number;
  /** Whether no slot of the log is missing, so that all answers are complete. */
  readonly isComplete: boolean;
}

/** Opens a folder as a service does, and ingests the given slots. */
export async function reopen(
  dataDir: string,
  offered: readonly SlotFacts[] = [],
): Promise<Reopened> {
  const lost: string[] = [];
  const config = readConfig({}, { dataDir, solUsdFallback: '150' });
  const stateProblems: string[] = [];
  const service = await openService(config, {
    onLost: (sentence) => lost.push(sentence),
    onStateProblem: (sentence) => stateProblems.push(sentence),
  });
  try {
    if (offered.length > 0) await service.ingestion.ingest(finalSlots(offered));
    const { engine, gaps, status } = service.ingestion;
    return {
      lost,
      stateProblems,
      missing: gaps.map(({ from, to }) => ({ from, to })),
      missingSlots: gaps.reduce((sum, { from, to }) => sum + to - from + 1, 0),
      digest: engine.digest(),
      refolds: status.refolds,
      isComplete: gaps.length === 0,
    };
  } finally {
    await service.close();
  }
}

/** An undamaged folder, to be copied and damaged. */
export class CalmFolder {
  readonly facts: readonly SlotFacts[];
  readonly path = temporaryFolder();
  digest = '';
  rows: Record<string, unknown> = {};
  private readonly sittings: number;

  /** Stored in this many runs, each of which leaves a part in every table. */
  constructor(slots: number, sittings: number) {
    this.facts = marketFacts(slots);
    this.sittings = sittings;
  }

  async fill(): Promise<void> {
    const size = Math.ceil(this.facts.length / this.sittings);
    for (let from = 0; from < this.facts.length; from += size) {
      this.digest = (await reopen(this.path, this.facts.slice(from, from + size))).digest;
    }
    this.rows = await storedRows(this.path);
  }

  copy(): string {
    const path = temporaryFolder();
    cpSync(this.path, path, { recursive: true });
    return path;
  }
}

/** Runs statements in the data plane of a folder that is not open elsewhere, and closes it. */
export async function alter(dataDir: string, statements: readonly string[]): Promise<void> {
  const plane = await openDataPlane({ dataDir: dataFolderAt(dataDir).engineFolder });
  try {
    for (const statement of statements) await plane.heavy.command(statement);
  } finally {
    await plane.close();
  }
}

/** Runs statements in the control database of a folder that is not open elsewhere. */
export function alterControl(dataDir: string, statements: string): void {
  const control = openControlPlane(dataFolderAt(dataDir).controlFile);
  try {
    control.exec(statements);
  } finally {
    control.close();
  }
}

/** The folders of a table's parts, the largest first. */
export async function partFolders(dataDir: string, table: string): Promise<string[]> {
  const plane = await openDataPlane({ dataDir: dataFolderAt(dataDir).engineFolder });
  try {
    const rows = await plane.heavy.rows<{ path: string }>(
      "SELECT path FROM system.parts WHERE active AND database = 'mintscope' AND " +
        'table = {table:String} ORDER BY rows DESC, name',
      { table },
    );
    return rows.map(({ path }) => path);
  } finally {
    await plane.close();
  }
}

/** Parts of any table that the engine has detached as damaged. */
export function setAside(dataDir: string): string[] {
  const { engineFolder } = dataFolderAt(dataDir);
  return readdirSync(engineFolder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /detached\/[^/]+$/.test(path),
  );
}

export function fileOf(part: string, name: string): string {
  return join(part, name);
}
