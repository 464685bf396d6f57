import { type AskedRequest, FakePlatform, ok, type Reply } from './fake-platform.ts';

/** The Bot API's `getUpdates` and `getChatMemberCount`, as core.telegram.org/bots/api describes them. */
export class FakeTelegram {
  readonly token = '123456:secret-of-the-bot';
  updates: { update_id: number; [kind: string]: unknown }[] = [];
  members = new Map<string, unknown>();
  readonly platform: FakePlatform;

  private constructor(platform: FakePlatform) {
    this.platform = platform;
    platform.handle = (request) => this.reply(request);
  }

  static async start(nowMs: () => number): Promise<FakeTelegram> {
    return new FakeTelegram(await FakePlatform.start(nowMs));
  }

  async close(): Promise<void> {
    await this.platform.close();
  }

  path(method: string): string {
    return `/bot${this.token}/${method}`;
  }

  /** A post of the public channel `-1001`. */
  post(updateId: number, messageId: number, text: string, date: number, kind = 'channel_post') {
    const chat = { id: -1001, type: 'channel', title: 'Calls', username: 'calls' };
    this.updates.push({ update_id: updateId, [kind]: { message_id: messageId, chat, date, text } });
  }

  private reply({ path, query }: AskedRequest): Reply {
    if (path === this.path('getChatMemberCount')) {
      return ok({ ok: true, result: this.members.get(query.get('chat_id') ?? '') });
    }
    if (path !== this.path('getUpdates')) {
      const json = { ok: false, error_code: 404, description: 'Not Found' };
      return { kind: 'json', status: 404, json };
    }
    // A request with an offset discards everything before it permanently.
    const offset = Number(query.get('offset') ?? 0);
    this.updates = this.updates.filter(({ update_id }) => update_id >= offset);
    return ok({ ok: true, result: this.updates.slice(0, Number(query.get('limit'))) });
  }
}
