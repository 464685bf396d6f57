import { textFormat } from '../../model/codec.ts';
import { POOL_RECORD, TOKEN_RECORD } from '../../model/derived.ts';

export const { encode: encodeTokenRecord, decode: decodeTokenRecord } = textFormat(
  'token/1',
  TOKEN_RECORD,
);

export const { encode: encodePoolRecord, decode: decodePoolRecord } = textFormat(
  'pool/1',
  POOL_RECORD,
);
