import protobuf from 'protobufjs';

/**
 * The messages of ledgers and streams, for a protocol buffers library to write: fields and numbers
 * of storage-proto/proto/confirmed_block.proto (Agave) and geyser.proto (Yellowstone).
 */
const SCHEMA = `
syntax = "proto3";
message ConfirmedBlock {
  string previous_blockhash = 1;
  string blockhash = 2;
  uint64 parent_slot = 3;
  repeated ConfirmedTransaction transactions = 4;
  repeated Reward rewards = 5;
  UnixTimestamp block_time = 6;
  BlockHeight block_height = 7;
}
message ConfirmedTransaction { Transaction transaction = 1; TransactionStatusMeta meta = 2; }
message Transaction { repeated bytes signatures = 1; Message message = 2; }
message Message {
  MessageHeader header = 1;
  repeated bytes account_keys = 2;
  bytes recent_blockhash = 3;
  repeated CompiledInstruction instructions = 4;
  bool versioned = 5;
  repeated MessageAddressTableLookup address_table_lookups = 6;
  TransactionConfig config = 7;
}
message MessageHeader {
  uint32 num_required_signatures = 1;
  uint32 num_readonly_signed_accounts = 2;
  uint32 num_readonly_unsigned_accounts = 3;
}
message MessageAddressTableLookup {
  bytes account_key = 1;
  bytes writable_indexes = 2;
  bytes readonly_indexes = 3;
}
message TransactionConfig {
  optional uint64 priority_fee = 1;
  optional uint32 compute_unit_limit = 2;
  optional uint32 loaded_accounts_data_size_limit = 3;
  optional uint32 heap_size = 4;
}
message TransactionStatusMeta {
  TransactionError err = 1;
  uint64 fee = 2;
  repeated uint64 pre_balances = 3;
  repeated uint64 post_balances = 4;
  repeated InnerInstructions inner_instructions = 5;
  bool inner_instructions_none = 10;
  repeated string log_messages = 6;
  bool log_messages_none = 11;
  repeated TokenBalance pre_token_balances = 7;
  repeated TokenBalance post_token_balances = 8;
  repeated Reward rewards = 9;
  repeated bytes loaded_writable_addresses = 12;
  repeated bytes loaded_readonly_addresses = 13;
  ReturnData return_data = 14;
  bool return_data_none = 15;
  optional uint64 compute_units_consumed = 16;
  optional uint64 cost_units = 17;
}
message TransactionError { bytes err = 1; }
message InnerInstructions { uint32 index = 1; repeated InnerInstruction instructions = 2; }
message InnerInstruction {
  uint32 program_id_index = 1;
  bytes accounts = 2;
  bytes data = 3;
  optional uint32 stack_height = 4;
}
message CompiledInstruction { uint32 program_id_index = 1; bytes accounts = 2; bytes data = 3; }
message TokenBalance {
  uint32 account_index = 1;
  string mint = 2;
  UiTokenAmount ui_token_amount = 3;
  string owner = 4;
  string program_id = 5;
}
message UiTokenAmount {
  double ui_amount = 1;
  uint32 decimals = 2;
  string amount = 3;
  string ui_amount_string = 4;
}
message ReturnData { bytes program_id = 1; bytes data = 2; }
message Reward { string pubkey = 1; int64 lamports = 2; uint64 post_balance = 3; int32 reward_type = 4; string commission = 5; }
message Rewards { repeated Reward rewards = 1; }
message UnixTimestamp { int64 timestamp = 1; }
message BlockHeight { uint64 block_height = 1; }

message SubscribeUpdate {
  repeated string filters = 1;
  oneof update_oneof {
    SubscribeUpdateSlot slot = 3;
    SubscribeUpdateTransaction transaction = 4;
    SubscribeUpdateBlock block = 5;
    SubscribeUpdatePing ping = 6;
    SubscribeUpdateBlockMeta block_meta = 7;
    SubscribeUpdatePong pong = 9;
  }
  Timestamp created_at = 11;
}
message Timestamp { int64 seconds = 1; int32 nanos = 2; }
message SubscribeUpdatePing {}
message SubscribeUpdatePong { int32 id = 1; }
message SubscribeUpdateSlot {
  uint64 slot = 1;
  optional uint64 parent = 2;
  int32 status = 3;
  optional string dead_error = 4;
  optional uint64 bank_id = 5;
}
message SubscribeRequest {
  map<string, SubscribeRequestFilterSlots> slots = 2;
  map<string, SubscribeRequestFilterTransactions> transactions = 3;
  map<string, SubscribeRequestFilterBlocks> blocks = 4;
  map<string, SubscribeRequestFilterBlocksMeta> blocks_meta = 5;
  optional int32 commitment = 6;
  optional SubscribeRequestPing ping = 9;
  optional uint64 from_slot = 11;
}
message SubscribeRequestPing { int32 id = 1; }
message SubscribeRequestFilterSlots {
  optional bool filter_by_commitment = 1;
  optional bool interslot_updates = 2;
}
message SubscribeRequestFilterTransactions {
  optional bool vote = 1;
  optional bool failed = 2;
  repeated string account_include = 3;
  repeated string account_exclude = 4;
  optional string signature = 5;
  repeated string account_required = 6;
}
message SubscribeRequestFilterBlocks {
  repeated string account_include = 1;
  optional bool include_transactions = 2;
  optional bool include_accounts = 3;
  optional bool include_entries = 4;
}
message SubscribeRequestFilterBlocksMeta {}
message SubscribeUpdateTransaction { SubscribeUpdateTransactionInfo transaction = 1; uint64 slot = 2; uint64 bank_id = 3; }
message SubscribeUpdateTransactionInfo {
  bytes signature = 1;
  bool is_vote = 2;
  Transaction transaction = 3;
  TransactionStatusMeta meta = 4;
  uint64 index = 5;
}
message SubscribeUpdateBlock {
  uint64 slot = 1;
  string blockhash = 2;
  Rewards rewards = 3;
  UnixTimestamp block_time = 4;
  BlockHeight block_height = 5;
  uint64 parent_slot = 7;
  string parent_blockhash = 8;
  uint64 executed_transaction_count = 9;
  repeated SubscribeUpdateTransactionInfo transactions = 6;
  uint64 entries_count = 12;
}
message SubscribeUpdateBlockMeta {
  uint64 slot = 1;
  string blockhash = 2;
  Rewards rewards = 3;
  UnixTimestamp block_time = 4;
  BlockHeight block_height = 5;
  uint64 parent_slot = 6;
  string parent_blockhash = 7;
  uint64 executed_transaction_count = 8;
  uint64 entries_count = 9;
  uint64 bank_id = 10;
}
`;

const { root } = protobuf.parse(SCHEMA);

/** A message in the field names of JSON. Zeros and empty lists are left out of the bytes. */
export type Message = Readonly<Record<string, unknown>>;

/** Bytes of a message, as the library writes them. */
export function encodeMessage(type: string, message: Message): Uint8Array {
  const found = root.lookupType(type);
  return new Uint8Array(found.encode(found.fromObject(withoutZeros(message))).finish());
}

/** The message that the library reads from bytes, with 64-bit integers as text. */
export function decodeMessage(type: string, bytes: Uint8Array): Message {
  const found = root.lookupType(type);
  return found.toObject(found.decode(bytes), { longs: String, defaults: true });
}

/** Fields whose zero differs from their absence. */
const EXPLICIT = new Set([
  'stackHeight',
  'computeUnitsConsumed',
  'priorityFee',
  'computeUnitLimit',
  'vote',
  'includeTransactions',
]);

/** The reference writers omit zeros, as proto3 requires; this library writes every given value. */
function withoutZeros(value: unknown): Message {
  const entries = Object.entries(value as Message).flatMap(([name, field]) => {
    if (field === null || field === undefined) return [];
    if (!EXPLICIT.has(name) && (field === 0 || field === '' || field === false)) return [];
    return [[name, withoutZerosWithin(field)] as const];
  });
  return Object.fromEntries(entries);
}

function withoutZerosWithin(field: unknown): unknown {
  if (field instanceof Uint8Array) return field;
  if (Array.isArray(field)) {
    return field.map((each) => (typeof each === 'object' ? withoutZerosWithin(each) : each));
  }
  return typeof field === 'object' ? withoutZeros(field) : field;
}
