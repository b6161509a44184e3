import type { SimTraceDetail } from '@virgule/core/simulator-api';
import type { Trace } from './trace.js';

const details = (trace: Trace): SimTraceDetail[] =>
  trace.page(0).rows.flatMap(({ id }) => trace.detail(id) ?? []);

/** Returns all rows, each as one line of JSON. */
export const exportLines = (trace: Trace): string =>
  details(trace)
    .map((detail) => `${JSON.stringify(detail)}\n`)
    .join('');

/** Returns the requests as an HTTP archive (HAR 1.2), which the developer tools of browsers open. */
export function exportArchive(trace: Trace, origin: string): string {
  const entries = details(trace)
    .filter(({ kind }) => kind === 'request')
    .map((detail) => harEntry(detail, origin));
  const creator = { name: 'Virgule', version: '1' };
  return JSON.stringify({ log: { version: '1.2', creator, entries } });
}

function harEntry(
  { what, atMs, tookMs = 0, status = 0, sections }: SimTraceDetail,
  origin: string,
) {
  const [method = '', path = ''] = what.split(' ', 2);
  const section = (title: string): string =>
    sections.find((each) => each.title === title)?.text ?? '';
  const requestHeaders = headersIn(section('Request headers'));
  const responseHeaders = headersIn(section('Response headers'));
  const typeIn = (headers: ReturnType<typeof headersIn>): string =>
    headers.find(({ name }) => name === 'content-type')?.value ?? '';
  const [requestBody, responseBody] = [section('Request body'), section('Response body')];
  const common = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1, bodySize: -1 };
  return {
    startedDateTime: new Date(atMs).toISOString(),
    time: tookMs,
    request: {
      ...common,
      method,
      url: origin + path,
      headers: requestHeaders,
      queryString: [],
      ...(requestBody !== '' && {
        postData: { mimeType: typeIn(requestHeaders), text: requestBody },
      }),
    },
    response: {
      ...common,
      status,
      statusText: '',
      headers: responseHeaders,
      content: { size: responseBody.length, mimeType: typeIn(responseHeaders), text: responseBody },
      redirectURL: '',
    },
    cache: {},
    timings: { send: 0, wait: tookMs, receive: 0 },
  };
}

/** Returns the headers of a section, whose lines are such as `content-type: text/plain`. */
const headersIn = (text: string) =>
  Array.from(text.matchAll(/^(.*?): (.*)$/gm), ([, name = '', value = '']) => ({ name, value }));
