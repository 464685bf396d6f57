import { statSync } from 'node:fs';
import type { DetectorPackage } from '../../detector-modules/package/detector-package.ts';
import { readPackage } from '../../detector-modules/package/read-package.ts';
import { openDetector } from '../../detector-modules/sandbox/open-detector.ts';
import type { InstalledDetector } from '../../fraud/contract/installed-detector.ts';
import { UsageError } from '../../model/errors.ts';
import { ruleIdOf } from '../../model/rule-hit.ts';
import type { CompiledRule } from '../../rules/compile-rule.ts';
import { readRule } from '../../service/rules/rules-folder.ts';
import { printable } from '../printable.ts';

/** What gave a hit: a rule, or a detector of a module. */
export type HitAuthor =
  | { readonly kind: 'rule'; readonly rule: CompiledRule }
  | { readonly kind: 'detector'; readonly detector: InstalledDetector };

const DETECTOR_PREFIX = 'mintscope-detector-';

/** Rules of accounts may have names of detectors: a place that is a file is that of a rule. */
function isOfDetector(id: string, place: string): boolean {
  return (
    id.startsWith(DETECTOR_PREFIX) && statSync(place, { throwIfNoEntry: false })?.isFile() !== true
  );
}

/**
 * Reads what gave a hit: the rule in a file, or the package of a detector, named as for `detectors
 * list`. Throws UsageError if it cannot be used, or is another than that of the hit.
 */
export function readAuthor(id: string, place: string, detectorsFolder: string): HitAuthor {
  if (!isOfDetector(id, place)) return { kind: 'rule', rule: readRuleOf(id, place) };
  const detector = openDetector(readDetectorPackage(id, place, detectorsFolder));
  const found = ruleIdOf(detector);
  if (found !== id) {
    throw new UsageError(
      `The detector at ${place} is ${found}, and the hit is of ${printable(id)}: install that version.`,
    );
  }
  return { kind: 'detector', detector };
}

function readDetectorPackage(id: string, place: string, folder: string): DetectorPackage {
  try {
    return readPackage(place, folder);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(
      `The hit is of the detector ${printable(id)}, which judges only where it is installed. ${error.message}`,
      { cause: error },
    );
  }
}

function readRuleOf(id: string, path: string): CompiledRule {
  const { rule, problems } = readRule(path);
  if (rule === null) throw new UsageError(`${path}: ${problems[0] ?? 'it is no rule'}`);
  if (rule.id !== id) {
    throw new UsageError(`${path} is ${rule.id}, and the hit is of ${printable(id)}.`);
  }
  return rule;
}
