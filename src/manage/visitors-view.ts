import { Injectable } from '@nestjs/common';
import { BrandingService } from '../branding/branding.service.js';
import type { Language } from '../branding/languages.js';
import { PublicUrl } from '../platform/config/public-url.js';
import type { Actor } from '../platform/auth/actor.js';
import { datesOf } from '../page-model/dates.js';
import { servedLinks } from '../page-model/links.js';
import type { View } from '../page-model/view.js';
import { wordsOf } from '../page-model/words.js';
import type { OwnPage } from './project-contents.js';
import type { ShownOn } from './shown-pages.js';

/** A page, as its visitors see it: its view, and what mail needs of it. */
export interface VisitorsView extends View {
  language: Language;
  page: OwnPage | undefined;
  /** Returns the address of a part of another page. */
  urlOn(page: OwnPage, part: Parameters<View['links']['to']>[0]): string;
}

/** Shows members what visitors will see. */
@Injectable()
export class VisitorsViews {
  constructor(
    private readonly branding: BrandingService,
    private readonly publicUrl: PublicUrl,
  ) {}

  /**
   * Returns the view of a page that shows something, in its language and time zone, a public one if there is one. If no page shows it:
   * of the oldest page. Without one: in English and UTC.
   * @param shown the pages that show it, public ones first
   */
  async of(
    actor: Actor,
    pages: readonly OwnPage[],
    { named: [first] }: Pick<ShownOn, 'named'>,
  ): Promise<VisitorsView> {
    const page = first ?? pages.at(-1);
    const { language, time_zone } = page
      ? await this.branding.get(actor, page.id)
      : { language: 'en' as const, time_zone: 'UTC' };
    return {
      page,
      language,
      words: wordsOf(language),
      dates: datesOf(language, time_zone, new Date()),
      links: servedLinks({ public_url: this.publicUrl.value }, page?.slug ?? ''),
      urlOn: ({ slug }, part) => servedLinks({ public_url: this.publicUrl.value }, slug).to(part),
    };
  }
}
