import { Injectable } from '@nestjs/common';
import { unavailable } from '../../platform/problems/problem.js';

const TIMEOUT_MS = 5_000;

/** Maximum number of characters of a response. Certificates have about 2,000. */
const MAX_LENGTH = 100_000;

/** Sends requests to Amazon SNS: the only connections that a request to this service can cause. Follows no redirects. */
@Injectable()
export class SnsHttp {
  /** Tests replace it by a server of their own. */
  fetch: (url: URL, init: RequestInit) => Promise<Response> = fetch;

  /**
   * Returns the response to a GET.
   * @param url an URL that {@link isSnsUrl} accepts
   * @throws Problem 503 `unavailable`, so that SNS repeats its message
   */
  async get(url: URL): Promise<string> {
    try {
      const response = await this.fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
      const text = await response.text();
      if (response.ok && text.length <= MAX_LENGTH) return text;
    } catch {
      // The reason is of no use to SNS.
    }
    throw unavailable(`${url.host} is unreachable from this server`);
  }
}

/** Hosts of SNS: `sns.us-east-1.amazonaws.com`, `sns.cn-north-1.amazonaws.com.cn`. */
const SNS_HOST = /^sns\.[a-z]{2}(-[a-z]+)+-\d{1,2}\.amazonaws\.com(\.cn)?$/;

/** Returns whether a URL belongs to Amazon SNS: `https`, its host, no port and no credentials. */
export function isSnsUrl({ protocol, host, username, password }: URL): boolean {
  return protocol === 'https:' && SNS_HOST.test(host) && username === '' && password === '';
}
