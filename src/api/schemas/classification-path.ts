import { Type } from 'typebox';
import { EXAMPLE } from './examples.ts';
import { UuidParameter } from './parameters.ts';

export const UNKNOWN_CLASSIFICATION = 'This classification is not known.';

/** Path parameters of a classification. */
export const ClassificationPath = Type.Object({
  id: UuidParameter({ description: 'ID of the classification.', example: EXAMPLE.uuid }),
});
