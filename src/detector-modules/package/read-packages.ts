import { UsageError } from '../../model/errors.ts';
import type { DetectorPackage } from './detector-package.ts';
import { readPackage } from './read-package.ts';

/** Reads packages, by name. Throws UsageError for one that cannot be used, or two of one name. */
export function readPackages(
  places: readonly string[],
  folder: string,
): readonly DetectorPackage[] {
  const packages = places.map((place) => readPackage(place, folder));
  const seen = new Map<string, string>();
  packages.forEach(({ name }, at) => {
    const place = places[at] ?? '';
    const other = seen.get(name);
    if (other !== undefined) {
      throw new UsageError(`${other} and ${place} are both detectors named ${name}: name one.`);
    }
    seen.set(name, place);
  });
  return packages.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
