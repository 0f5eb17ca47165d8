import { randomUUID } from 'node:crypto';
import { Controller, Param } from '@nestjs/common';
import { notFound } from '../../platform/problems/problem.js';
import type { SectionDto } from '../../status-pages/dto/section.dto.js';
import { UpdateStatusPageDto } from '../../status-pages/dto/update-status-page.dto.js';
import { StatusPagesService } from '../../status-pages/status-pages.service.js';
import { check, type Errors } from '../errors-of-fields.js';
import { OwnId } from '../own-id.js';
import { ProjectContents } from '../project-contents.js';
import { versionIn } from '../publishing.js';
import type { Reply } from '../reply.js';
import { Form, Screen } from '../routes.js';
import { type Visit, Visiting } from '../visit.js';
import { WORDS } from '../words.js';
import { moved } from './moves.js';
import { PageChanges } from './page-changes.js';
import { pathOf } from './page-frame.js';
import { PageReader, type ReadPage } from './page-reader.js';
import { MONITOR_ROWS, type ReadSection, renderSection } from './section-page.js';
import {
  renderSectionRemoval,
  renderSections,
  SECTION_ROWS,
  sectionPath,
  type SectionsResult,
} from './sections-page.js';

const { page: pageWords, errors: errorWords } = WORDS;
const words = pageWords.sections;

/** Maximum length of a text to find, in characters. */
const MAX_FIND = 200;

/** Orders, adds, renames and removes the sections of a page, and their monitors. Each form is one change of the page. */
@Controller('manage/pages/:id')
export class PageSectionsController {
  constructor(
    private readonly reader: PageReader,
    private readonly changes: PageChanges,
    private readonly contents: ProjectContents,
    private readonly statusPages: StatusPagesService,
  ) {}

  @Screen('sections', 'status_pages:read')
  async list(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    return renderSections(visit, await this.reader.read(visit.actor, id));
  }

  @Form('sections', 'status_pages:write')
  async add(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const read = await this.reader.read(visit.actor, id);
    const title = titleIn(visit);
    const added = { id: randomUUID(), title, monitor_ids: [] };
    return this.change(visit, read, {
      sections: [...read.page.sections, added],
      done: sectionPath(read.page, added),
      field: { name: 'title', label: words.title },
      show: async (result) => renderSections(visit, read, { ...result, title }),
    });
  }

  @Form('section-order', 'status_pages:write')
  async order(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const read = await this.reader.read(visit.actor, id);
    const { sections } = read.page;
    const { value, by } = pressed(visit);
    const index = sections.findIndex((section) => section.id === value);
    const after = moved(sections, index, by);
    const page =
      pageOf(
        after.findIndex(({ id: one }) => one === value),
        SECTION_ROWS,
      ) ?? pageIn(visit);
    return this.change(visit, read, {
      sections: after,
      done: `${pathOf(read.page, 'sections')}?page=${page}#s-${index < 0 ? '' : value}`,
      show: async (result) => renderSections(visit, read, result),
    });
  }

  @Screen('sections/:section', 'status_pages:read')
  async show(
    @Visiting() visit: Visit,
    @Param('id', OwnId) id: string,
    @Param('section') name: string,
  ): Promise<Reply> {
    return renderSection(visit, await this.section(visit, id, name));
  }

  @Form('sections/:section', 'status_pages:write')
  async rename(
    @Visiting() visit: Visit,
    @Param('id', OwnId) id: string,
    @Param('section') name: string,
  ): Promise<Reply> {
    const read = await this.section(visit, id, name);
    const title = titleIn(visit);
    return this.change(visit, read, {
      sections: replaced(read, { ...read.section, title }),
      done: `${sectionPath(read.page, read.section)}?done=saved`,
      field: { name: 'title', label: words.title },
      show: async (result) => renderSection(visit, read, { ...result, title }),
    });
  }

  /** Moves, removes or adds monitors of a section. */
  @Form('sections/:section/monitors', 'status_pages:write')
  async setMonitors(
    @Visiting() visit: Visit,
    @Param('id', OwnId) id: string,
    @Param('section') name: string,
  ): Promise<Reply> {
    const read = await this.section(visit, id, name);
    const { sent } = visit;
    const before = read.section.monitor_ids;
    const chosen = sent.getAll('monitor_ids');
    const find = (sent.get('find') ?? '').trim().slice(0, MAX_FIND);
    const show = async (result: SectionsResult) => renderSection(visit, read, { ...result, find, chosen });
    if (sent.get('step') === 'find') return show({});
    const isAdding = sent.get('step') === 'add';
    if (isAdding && chosen.length === 0)
      return show({ errors: { monitor_ids: words.nothing_chosen, form: errorWords.summary(1) } });
    const { value, by } = pressed(visit);
    const removed = sent.get('remove');
    const monitor_ids = isAdding
      ? [...new Set([...before, ...chosen])]
      : removed !== null
        ? before.filter((one) => one !== removed)
        : moved(before, before.indexOf(value), by);
    const path = sectionPath(read.page, read.section);
    const page = pageOf(monitor_ids.indexOf(value), MONITOR_ROWS) ?? pageIn(visit);
    return this.change(visit, read, {
      sections: replaced(read, { ...read.section, monitor_ids }),
      done: isAdding ? `${path}?done=added` : `${path}?page=${page}${anchorOf(before, value)}`,
      field: { name: 'monitor_ids', label: words.choose },
      show,
    });
  }

  @Screen('sections/:section/remove', 'status_pages:write')
  async askToRemove(
    @Visiting() visit: Visit,
    @Param('id', OwnId) id: string,
    @Param('section') name: string,
  ): Promise<Reply> {
    const read = await this.section(visit, id, name);
    return renderSectionRemoval(visit, read, read.section);
  }

  /** Asks again without the step of the button, for example after another sign-in. */
  @Form('sections/:section/remove', 'status_pages:write')
  async remove(
    @Visiting() visit: Visit,
    @Param('id', OwnId) id: string,
    @Param('section') name: string,
  ): Promise<Reply> {
    const read = await this.section(visit, id, name);
    const show = async (result?: SectionsResult) => renderSectionRemoval(visit, read, read.section, result);
    if (visit.sent.get('step') !== 'remove') return show();
    return this.change(visit, read, {
      sections: read.page.sections.filter((one) => one.id !== read.section.id),
      done: `${pathOf(read.page, 'sections')}?done=saved`,
      show,
    });
  }

  /** @throws Problem 404 `not_found` */
  private async section({ actor }: Visit, id: string, name: string): Promise<ReadSection> {
    const read = await this.reader.read(actor, id);
    const section = read.page.sections.find((one) => one.id === name);
    if (!section) throw notFound('section');
    return { ...read, section, monitors: await this.contents.monitors(actor, read.page.project_id) };
  }

  /** Replaces the sections of a page. `field`: the field of the form at which errors of the sections are. */
  private async change(
    visit: Visit,
    { page }: ReadPage,
    {
      sections,
      done,
      field = { name: 'form', label: words.sections },
      show,
    }: {
      sections: SectionDto[];
      done: string;
      field?: { name: string; label: string };
      show: (result: SectionsResult) => Promise<Reply>;
    },
  ): Promise<Reply> {
    const labels = { sections: field.label };
    if (field.name === 'title' && titleIn(visit) === '')
      return show({ errors: { title: words.title_missing, form: errorWords.summary(1) } });
    return this.changes.run(visit, {
      labels,
      checked: check(UpdateStatusPageDto, { sections }, labels),
      write: (patch) => this.statusPages.update(visit.actor, page.id, patch, versionIn(visit.sent)),
      form: async ({ sections: error, ...errors }: Errors) =>
        show({ errors: error === undefined ? errors : { ...errors, [field.name]: error } }),
      conflict: async () =>
        show({ conflict: { author: await this.reader.lastAuthor(visit.actor, page.id) } }),
      done,
    });
  }
}

function titleIn({ sent }: Visit): string {
  return (sent.get('title') ?? '').trim();
}

function pageIn({ sent }: Visit): number {
  return Number.parseInt(sent.get('page') ?? '', 10) || 0;
}

/** Returns the row whose button was pressed, and the places by which it moves: one, or as many as it was dragged. */
function pressed({ sent }: Visit): { value: string; by: number } {
  const up = sent.get('up');
  const places = Math.max(1, Number.parseInt(sent.get('by') ?? '', 10) || 1);
  return up === null ? { value: sent.get('down') ?? '', by: places } : { value: up, by: -places };
}

/** Returns the page of a list that shows a row; undefined: the row is not in the list. */
function pageOf(index: number, rows: number): number | undefined {
  return index < 0 ? undefined : Math.floor(index / rows);
}

function replaced({ page }: ReadSection, section: SectionDto): SectionDto[] {
  return page.sections.map((one) => (one.id === section.id ? section : one));
}

function anchorOf(ids: readonly string[], id: string): string {
  return ids.includes(id) ? `#m-${id}` : '';
}
