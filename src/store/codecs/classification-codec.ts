import { textFormat } from '../../model/codec.ts';
import { CLASSIFICATION } from '../../model/fraud.ts';

export const { encode: encodeClassification, decode: decodeClassification } = textFormat(
  'classification/1',
  CLASSIFICATION,
);
