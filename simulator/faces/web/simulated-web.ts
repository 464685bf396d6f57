import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SocialToken } from '../../posts/social-tokens.ts';
import { isLoopback, respond } from '../node/control-face.ts';
import { reply } from '../node/http-face.ts';
import { tokenPicture } from './token-picture.ts';

/** Names of tokens are shorter than this. */
const PICTURE_NAME_MAX = 64;
const PICTURE = /^\/pictures\/([^/]+)\.png$/;
const METADATA_HOST = 'metadata.example';

/**
 * Serves on this machine the web pages that tokens of a simulated market link to. The first part of
 * a path is the original host: `/metadata.example/1a2b.json` is a token's document, whose picture
 * and links are served here too. Hosts that end with `.example`, and accounts on X, have a page.
 */
export class SimulatedWeb {
  private readonly tokenAt: (uri: string) => SocialToken | null;
  private readonly server: Server;

  constructor(tokenAt: (uri: string) => SocialToken | null) {
    this.tokenAt = tokenAt;
    this.server = createServer((request, response) => this.answer(request, response));
    // The server does not keep the process alive after the market ends.
    this.server.unref();
  }

  /** Resolves to the origin. */
  async listen(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = this.server.listening ? once(this.server, 'close') : null;
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const [, host = '', path = '/'] = /^\/([^/?]+)(\/[^?]*)?/.exec(request.url ?? '') ?? [];
    if (!isLoopback(request)) respond(response, 403, { error: 'only from this machine' });
    else if (host === METADATA_HOST) this.answerFile(path, response);
    else if (host === 'x.com' || host.endsWith('.example')) {
      reply(response, 200, 'A page of the simulated web.', { 'content-type': 'text/plain' });
    } else respond(response, 404, { error: 'no such page in the simulated web' });
  }

  private answerFile(path: string, response: ServerResponse): void {
    const [, name] = PICTURE.exec(path) ?? [];
    if (name !== undefined && name.length <= PICTURE_NAME_MAX) {
      response.writeHead(200, { 'content-type': 'image/png' }).end(tokenPicture(name));
      return;
    }
    const token = this.tokenAt(`https://${METADATA_HOST}${path}`);
    if (token === null) respond(response, 404, { error: 'no such document' });
    else respond(response, 200, documentOf(token));
  }
}

/** The document of a token, as launchpads write it. */
function documentOf({ name, symbol, handle, website }: SocialToken): object {
  const picture = encodeURIComponent(name.toLowerCase().replaceAll(' ', '-'));
  return {
    name,
    symbol,
    description: `${name} lives in a simulated market.`,
    image: `https://${METADATA_HOST}/pictures/${picture}.png`,
    ...(handle === null ? {} : { twitter: `https://x.com/${handle}` }),
    ...(website === null ? {} : { website }),
  };
}
