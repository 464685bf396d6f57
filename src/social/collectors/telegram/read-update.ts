/**
 * Updates of the Telegram Bot API (https://core.telegram.org/bots/api#update). Only public posts
 * count: those in channels and groups with a username. Telegram does not report deletions to bots.
 */
import type { PostAuthor, SocialPost } from '../../../model/social-post.ts';
import {
  bareAuthor,
  type Fields,
  fieldsOf,
  handleOf,
  idOf,
  isFields,
  linksOf,
  listOf,
  notAhead,
  postTextOf,
  secondsOf,
} from '../../collecting/read-fields.ts';
import type { Tally } from '../../collecting/tally.ts';

/** Kinds of updates that contain posts; only these are requested. */
export const UPDATE_KINDS = [
  'message',
  'edited_message',
  'channel_post',
  'edited_channel_post',
] as const;

/** A message of a public chat. */
export interface PublicMessage {
  readonly chatId: string;
  readonly isChannel: boolean;
  readonly post: SocialPost;
}

/** Null for an update without a post; it is counted as malformed if it is not a message. */
export function readUpdate(update: Fields, nowMs: number, tally: Tally): PublicMessage | null {
  const kind = UPDATE_KINDS.find((each) => update[each] !== undefined);
  if (kind === undefined) return null;
  const message = update[kind];
  const chat = isFields(message) ? message.chat : null;
  if (!isFields(message) || !isFields(chat)) {
    tally.add('malformed');
    return null;
  }
  const chatName = handleOf(chat.username);
  if (chatName === null || (chat.type !== 'channel' && chat.type !== 'supergroup')) return null;
  // Pictures, joins, pins and similar messages have no text.
  if (message.text === undefined && message.caption === undefined) return null;
  return readMessage(message, { chat, chatName }, nowMs, tally);
}

function readMessage(
  message: Fields,
  { chat, chatName }: { readonly chat: Fields; readonly chatName: string },
  nowMs: number,
  tally: Tally,
): PublicMessage | null {
  const chatId = idOf(chat.id);
  const messageId = idOf(message.message_id);
  const text = postTextOf(message.text) ?? postTextOf(message.caption);
  const createdAtMs = secondsOf(message.date);
  const isChannel = chat.type === 'channel';
  const author = isChannel && chatId !== null ? bareAuthor(chatId, chatName) : readAuthor(message);
  if (chatId === null || messageId === null || text === null) return malformed(tally);
  if (createdAtMs === null || author === null) return malformed(tally);
  const post: SocialPost = {
    platform: 'telegram',
    postId: `${chatId}:${messageId}`,
    author,
    text,
    url: `https://t.me/${encodeURIComponent(chatName)}/${messageId}`,
    links: linksOf(
      [...listOf(message.entities), ...listOf(message.caption_entities)].map(
        (entity) => fieldsOf(entity).url,
      ),
    ),
    reposts: null,
    createdAtMs: notAhead(createdAtMs, nowMs, tally),
  };
  return { chatId, isChannel, post };
}

/** The sending user, or the chat on whose behalf the message was sent. */
function readAuthor(message: Fields): PostAuthor | null {
  const sender = isFields(message.sender_chat) ? message.sender_chat : fieldsOf(message.from);
  const id = idOf(sender.id);
  return id === null ? null : bareAuthor(id, handleOf(sender.username));
}

function malformed(tally: Tally): null {
  tally.add('malformed');
  return null;
}
