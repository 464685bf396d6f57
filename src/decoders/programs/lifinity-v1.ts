/** Lifinity pools of version 1, program EewxydAP…. */
import { lifinityDecoder } from '../families/lifinity.ts';

export const lifinityV1 = lifinityDecoder(
  'lifinity_v1',
  'EewxydAPCCVuNEyrVN68PuSYdQ7wKn27V9Gjeoi8dy3S',
);
