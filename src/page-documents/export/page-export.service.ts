import { readFileSync } from 'node:fs';
import { Injectable } from '@nestjs/common';
import { assetPath } from '../../platform/config/project-files.js';
import { renderNotFound } from '../components/message-page.js';
import type { AnyDocument } from '../../page-model/page-document.js';
import { monthAfter, monthOf, MONTHS_AHEAD, MONTHS_BACK } from '../../page-model/months.js';
import { HistoryReader } from '../../page-model/history-reader.service.js';
import { PageReader } from '../../page-model/page-reader.service.js';
import { PageRenderer } from '../rendering/page-renderer.service.js';
import { FIXED_PARTS, type Part } from '../../page-model/parts.js';
import { exportedLinks, fileOf, SCRIPT_FILE } from './export-links.js';

const SCRIPT = readFileSync(assetPath('page-documents/assets/page.js'), 'utf8');

/** A file of an export. */
export interface ExportedFile {
  /** Relative, with `/` between directories. */
  path: string;
  content: string | Buffer;
}

/** Exports a public or private page as static files. */
@Injectable()
export class PageExport {
  constructor(
    private readonly reader: PageReader,
    private readonly history: HistoryReader,
    private readonly pages: PageRenderer,
  ) {}

  /**
   * Renders all files of a page: the page itself, all parts that its documents link to, the months with incidents or
   * maintenance windows, and the current month. Each document contains the data at the time of its rendering.
   * @param id the ID of an existing page
   * @param url the address at which the files will be served, without a trailing slash
   */
  async *files(id: string, url: string): AsyncGenerator<ExportedFile> {
    const months = await this.months(id);
    const notFound = toStatic(renderNotFound(`${url}/`));
    const isRequired = new Map<string, boolean>();
    const parts: Part[] = [];
    const add = (part: Part, required: boolean) => {
      const path = fileOf(part);
      if (!isRequired.has(path)) parts.push(part);
      isRequired.set(path, required || isRequired.get(path) === true);
    };
    for (const part of [...FIXED_PARTS, ...months.map(toHistory)]) add(part, false);
    // Rendering a part adds the parts that it links to.
    for (let part = parts.shift(); part; part = parts.shift()) {
      const path = fileOf(part);
      const links = exportedLinks(path, url, (linked) => add(linked, true));
      const document = await this.pages.render(id, part, () => links, { visibility: 'any', months });
      // A disabled part has no file, but a link must have a target. Its part may have been deleted since.
      if (document) yield { path, content: toStatic(document) };
      else if (isRequired.get(path)) yield { path, content: notFound };
    }
    yield { path: '404.html', content: notFound };
    yield { path: SCRIPT_FILE, content: SCRIPT };
  }

  /**
   * Returns the months with incidents or maintenance windows, and the current one, oldest first. Empty if the page does not
   * show its history.
   */
  private async months(id: string): Promise<string[]> {
    const found = await this.reader.read(id, async (page) => {
      const months: string[] = [];
      if (!page.page.show_history) return months;
      const current = monthOf(page.now, page.page.branding.time_zone);
      for (let count = -MONTHS_BACK; count <= MONTHS_AHEAD; count++) {
        const month = monthAfter(current, count);
        const part = await this.history.month(page, month);
        const isEmpty = !part || part.incidents.length + part.maintenances.length === 0;
        if (!isEmpty || month === current) months.push(month);
      }
      return months;
    });
    return found ?? [];
  }
}

const toHistory = (month: string): Part => ({ kind: 'history', month });

/** Returns the document as a file that contains its policy, because a static host does not send it. */
function toStatic({ body, csp }: AnyDocument): string | Buffer {
  if (csp === undefined || typeof body !== 'string') return body;
  // A policy in a document cannot contain frame-ancestors (CSP 3, section 3.3).
  const policy = csp.split(';').filter((directive) => !directive.trim().startsWith('frame-ancestors'));
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy.join(';').replaceAll('"', '&quot;')}"/>`;
  return body.replace('<head>', () => `<head>${meta}`);
}
