import type { DetectorPackage } from '../../detector-modules/package/detector-package.ts';
import { readPackages } from '../../detector-modules/package/read-packages.ts';
import { openDetectors } from '../../detector-modules/sandbox/open-detectors.ts';
import type { DetectorState } from '../../engine/fraud/detector-watch.ts';
import type { FoldListener } from '../../ingestion/fold-listener.ts';
import type { ListedDetector } from '../../model/detector-listing.ts';
import type { MintCase } from '../../model/mint-case.ts';
import { ruleIdOf } from '../../model/rule-hit.ts';
import type { Address } from '../../model/units.ts';
import { listeners } from '../fold-listeners.ts';
import { listDetectors } from './list-detectors.ts';
import { type ShadowReport, type ShadowStatus, ShadowTrial } from './shadow-trial.ts';

export interface DetectorPlaces {
  readonly detectors: readonly string[];
  readonly shadowDetectors: readonly string[];
  readonly detectorsFolder: string;
}

/** Packages of installed detectors, all of which can be used. */
export interface InstalledPackages {
  readonly published: readonly DetectorPackage[];
  readonly tried: readonly DetectorPackage[];
}

/** Reads and opens them. Throws UsageError for one that cannot be used. */
export function installedPackages(places: DetectorPlaces): InstalledPackages {
  const { detectors, shadowDetectors, detectorsFolder } = places;
  const published = readPackages(detectors, detectorsFolder);
  const tried = readPackages(shadowDetectors, detectorsFolder);
  // Opened to be refused now: they are opened again in the thread that tries them.
  openDetectors(tried);
  return { published, tried };
}

export interface DetectorServiceOptions {
  readonly tried: readonly DetectorPackage[];
  /** The present engine. */
  readonly engine: () => {
    readonly fraudWatch: { readonly detectors: readonly DetectorState[] };
    mintCase(mint: Address): MintCase | null;
  };
  readonly onShadowReport?: (report: ShadowReport) => void;
  readonly onStateProblem?: (sentence: string) => void;
}

/** The installed detectors of a service: those that are published, and those that are tried. */
export class DetectorService {
  /** Must be called once the log is applied. */
  readonly listener: Partial<FoldListener>;
  private readonly options: DetectorServiceOptions;
  private readonly trial: ShadowTrial | null;
  private readonly known = new Set<string>();

  constructor(options: DetectorServiceOptions) {
    this.options = options;
    const { tried, engine } = options;
    this.trial =
      tried.length === 0
        ? null
        : new ShadowTrial({
            packages: tried,
            engine,
            onReported: (report) => options.onShadowReport?.(report),
            onProblem: (sentence) => options.onStateProblem?.(sentence),
          });
    const watched: Partial<FoldListener> = { onApplied: () => this.reportFaults() };
    this.listener = this.trial === null ? watched : listeners([watched, this.trial.listener]);
  }

  get published(): readonly DetectorState[] {
    return this.options.engine().fraudWatch.detectors;
  }

  get tried(): readonly ShadowStatus[] {
    return this.trial?.status ?? [];
  }

  /** All detectors that judge, with the built-in ones. */
  list(): ListedDetector[] {
    return listDetectors({
      published: this.published,
      tried: openDetectors(this.options.tried),
      trials: this.tried,
    });
  }

  async close(): Promise<void> {
    await this.trial?.close();
  }

  private reportFaults(): void {
    for (const state of this.published) {
      const { name, off, detail } = state;
      if (off === null || this.known.has(name)) continue;
      this.known.add(name);
      this.options.onStateProblem?.(
        `The detector ${ruleIdOf(state)} failed at slot ${off.slot} and is switched off: ${detail ?? off.failure}`,
      );
    }
  }
}
