import type { Setting } from './setting.ts';
import { nonEmpty } from './setting-parsers.ts';

/** Settings of installed detectors. */
export interface DetectorConfig {
  /** Folders, or names of installed packages, of detectors whose judgements are published. */
  readonly detectors: readonly string[];
  /** The same of detectors that are only tried. */
  readonly shadowDetectors: readonly string[];
  /** Folder in which packages are installed, and from which paths begin. */
  readonly detectorsFolder: string;
}

type DetectorSettings = { readonly [Name in keyof DetectorConfig]: Setting<DetectorConfig[Name]> };

/** More than anybody runs: each judges every case. */
const DETECTORS_MAX = 16;

export const DETECTOR_SETTINGS: DetectorSettings = {
  detectors: {
    description:
      'detectors to install, comma-separated names of packages or folders, see docs/installed-detectors.md; the log is folded again when they change',
    placeholder: 'names',
    fallback: [],
    parse: placeList,
  },
  shadowDetectors: {
    description: 'detectors to try beside the built-in ones without publishing what they judge',
    placeholder: 'names',
    fallback: [],
    parse: placeList,
  },
  detectorsFolder: {
    description: 'folder in which packages of detectors are installed with npm',
    placeholder: 'folder',
    fallback: '.',
    parse: nonEmpty('a folder'),
  },
};

function placeList(text: string) {
  const places = text.split(',').map((part) => part.trim());
  if (places.some((place) => place === '')) return 'must be comma-separated names or folders';
  return places.length > DETECTORS_MAX ? `must be at most ${DETECTORS_MAX}` : { value: places };
}
