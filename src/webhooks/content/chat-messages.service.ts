import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Language } from '../../branding/languages.js';
import { BrandingService } from '../../branding/branding.service.js';
import { type AudiencePage, AudiencesService } from '../../deliveries/audiences.service.js';
import { PageUrls } from '../../domains/page-urls.js';
import { MAIL_WORDS } from '../../page-model/words.js';
import { MonitorsService } from '../../monitors/monitors.service.js';
import { datesOf } from '../../page-model/dates.js';
import { plainName, plainText } from '../../page-model/plain-text.js';
import type { ProjectRef } from '../../projects/project-ref.js';
import { ProjectsService } from '../../projects/projects.service.js';
import { PageLookupService, type VersionedPage } from '../../status-pages/page-lookup.service.js';
import { StatusPagesService } from '../../status-pages/status-pages.service.js';
import { type ChatMessage, oneLine } from './chat-message.js';
import { chatText, type NamesOf } from './chat-texts.js';
import { type EventContent, unlessDeleted } from './event-content.service.js';
import { EVENTS } from '../../events/event-types.js';
import type { SentEventDto } from '../../events/dto/event.dto.js';
import { PART_OF } from '../../page-model/event-parts.js';
import { pathOf } from '../../page-model/parts.js';

/** A status page or a whole project that a message names as its source. */
interface Source {
  name: string;
  language: Language;
  time_zone: string;
  /** A public page that shows the resource, for the link. */
  page: VersionedPage | undefined;
}

/** A page or a project whose messages are in chats. */
export type ChatScope = ProjectRef & { status_page_id: string | null };

/** Reads what a chat message about an event contains. */
@Injectable()
export class ChatMessages {
  constructor(
    private readonly audiences: AudiencesService,
    private readonly statusPages: StatusPagesService,
    private readonly pageLookup: PageLookupService,
    private readonly branding: BrandingService,
    private readonly projects: ProjectsService,
    private readonly monitors: MonitorsService,
    private readonly pageUrls: PageUrls,
  ) {}

  /** Returns the message, or undefined if there is nothing to say any more. */
  async messageOf(
    scope: ChatScope,
    content: EventContent,
    manager: EntityManager,
  ): Promise<ChatMessage | undefined> {
    const { event } = content;
    const { organization_id, status_page_id } = scope;
    const pages = await this.audiences.pagesOf({ ...event, organization_id }, {}, manager);
    const source =
      (await unlessDeleted(this.sourceOf(scope, pages, manager))) ??
      (await this.sourceOf({ ...scope, status_page_id: null }, [], manager)); // the page is deleted
    const shown = pages.find((page) => page.id === status_page_id)?.monitor_ids ?? [];
    const names = this.namesOn(scope, status_page_id === null ? undefined : new Set(shown), manager);
    const text = await chatText(source, content, names);
    if (!text) return undefined;
    const { name, language, page } = source;
    const isShown = page !== undefined && !event.type.endsWith('.deleted');
    const url = isShown ? this.urlOf(page, event) : undefined;
    return {
      source: name,
      title: oneLine(plainName(text.title)),
      when: text.when,
      body: plainText(text.body),
      affected: oneLine(plainText(text.affected)),
      link: url === undefined ? undefined : { url, label: MAIL_WORDS[language].see_details },
      tone: text.tone,
    };
  }

  /** Returns the message of a test. */
  async testOf(scope: ChatScope, at: Date, manager: EntityManager): Promise<ChatMessage> {
    const { name, language, time_zone } = await this.sourceOf(scope, [], manager);
    return {
      source: name,
      title: 'Test message',
      when: datesOf(language, time_zone, at).fullTime(at),
      body: 'This channel gets the events of the status page or project that is named above.',
      affected: '',
      link: undefined,
      tone: 'neutral',
    };
  }

  /**
   * Returns the page, or the project with a public page that shows the resource.
   * @throws Problem 404 `not_found`
   */
  private async sourceOf(
    { organization_id, project_id, status_page_id }: ChatScope,
    pages: AudiencePage[],
    manager: EntityManager,
  ): Promise<Source> {
    const access = { organization_id, project_ids: [project_id] };
    const ids = pages.map(({ id }) => id).filter((id) => status_page_id === null || id === status_page_id);
    const [shown] = ids.length === 0 ? [] : await this.pageLookup.findPublicByIds(ids.toSorted(), manager);
    if (status_page_id === null) {
      const { text } = await this.projects.get(access, project_id, manager);
      const { name }: { name: string } = JSON.parse(String(text));
      return { name: oneLine(plainName(name)), language: 'en', time_zone: 'UTC', page: shown };
    }
    const { text } = await this.statusPages.get(access, status_page_id, manager);
    const { name }: { name: string } = JSON.parse(String(text));
    const page = { organization_id, status_page_id };
    const { language, time_zone } = await this.branding.shownOn(page, manager);
    return { name: oneLine(plainName(name)), language, time_zone, page: shown };
  }

  /** @param shown the monitors of the page; undefined: all of the project */
  private namesOn(project: ProjectRef, shown: Set<string> | undefined, manager: EntityManager): NamesOf {
    return async (ids) => {
      const wanted = shown ? ids.filter((id) => shown.has(id)) : ids;
      if (wanted.length === 0) return [];
      const found = await this.monitors.namesOf(project, wanted, manager);
      const names = new Map(found.map(({ id, name }) => [id, plainName(name)]));
      return wanted.flatMap((monitor_id) => {
        const name = names.get(monitor_id);
        return name === undefined ? [] : [{ monitor_id, name }];
      });
    };
  }

  private urlOf(page: VersionedPage, { type, resource_id }: SentEventDto): string {
    return this.pageUrls.of(page) + pathOf(PART_OF[EVENTS[type].about](resource_id));
  }
}
