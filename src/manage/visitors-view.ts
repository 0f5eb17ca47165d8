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

/** A page, as its visitors see it: its view, and what mail needs of it. */
export interface VisitorsView extends View {
  language: Language;
  page: OwnPage | undefined;
}

/** Shows members what visitors will see. */
@Injectable()
export class VisitorsViews {
  constructor(
    private readonly branding: BrandingService,
    private readonly publicUrl: PublicUrl,
  ) {}

  /**
   * Returns the view of a page that will show something, in its language and time zone, a public one if there is one. Without one: in
   * English and UTC.
   * @param slugs of the pages that will show it
   */
  async of(actor: Actor, pages: readonly OwnPage[], slugs: readonly string[]): Promise<VisitorsView> {
    const shown = pages.filter(({ slug }) => slugs.includes(slug));
    const page = shown.find(({ is_public }) => is_public) ?? shown[0] ?? pages.at(-1);
    const { language, time_zone } = page
      ? await this.branding.get(actor, page.id)
      : { language: 'en' as const, time_zone: 'UTC' };
    return {
      page,
      language,
      words: wordsOf(language),
      dates: datesOf(language, time_zone, new Date()),
      links: servedLinks({ public_url: this.publicUrl.value }, page?.slug ?? ''),
    };
  }
}
