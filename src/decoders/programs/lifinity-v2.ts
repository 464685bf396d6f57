/** Lifinity pools of version 2, program 2wT8Yq49…. */
import { lifinityDecoder } from '../families/lifinity.ts';

export const lifinityV2 = lifinityDecoder(
  'lifinity_v2',
  '2wT8Yq49kHgDzXuPxZSaeLaH1qbmGXtEyPy64bL7aD3c',
);
