import { Controller, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { ImageKind } from '../../branding/branding-values.js';
import { BrandingService } from '../../branding/branding.service.js';
import { MAX_IMAGE_BYTES } from '../../branding/images/image-values.js';
import { notFound, Problem } from '../../platform/problems/problem.js';
import { UpdateStatusPageDto } from '../../status-pages/dto/update-status-page.dto.js';
import { StatusPagesService } from '../../status-pages/status-pages.service.js';
import { check, type Errors } from '../errors-of-fields.js';
import { OwnId } from '../own-id.js';
import { versionIn } from '../publishing.js';
import { goTo, type Reply } from '../reply.js';
import { Form, Screen, Upload } from '../routes.js';
import { type Visit, Visiting } from '../visit.js';
import { WORDS } from '../words.js';
import { type BrandingResult, kindIn, renderBranding } from './branding-page.js';
import {
  BRANDING_LABELS,
  type BrandingPart,
  brandingIn,
  brandingOf,
  brandingPartIn,
  type ReadBranding,
  toBranding,
} from './branding-values.js';
import { PageChanges } from './page-changes.js';
import { pathOf } from './page-frame.js';
import { PageReader } from './page-reader.js';

const { page: pageWords, errors: errorWords } = WORDS;
const words = pageWords.branding;

const COLOR_LABELS = { accent_color: words.accent_color };

/** Headers of a picture. An SVG runs no script, even if it is opened by itself. */
const PICTURE_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none';style-src 'unsafe-inline';img-src data:;sandbox;frame-ancestors 'none'",
};

/** Errors of an uploaded file. */
const FILE_PROBLEMS = new Set(['invalid_image', 'unsupported_media_type', 'payload_too_large']);

/** Shows and changes the branding of a page: color, language, links and pictures. */
@Controller('manage/pages/:id')
export class PageBrandingController {
  constructor(
    private readonly reader: PageReader,
    private readonly changes: PageChanges,
    private readonly statusPages: StatusPagesService,
    private readonly branding: BrandingService,
  ) {}

  @Screen('branding', 'status_pages:read')
  async show(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    return renderBranding(visit, await this.read(visit, id));
  }

  @Form('branding', 'status_pages:write')
  async save(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const read = await this.read(visit, id);
    const part = brandingPartIn(visit.sent);
    const values = brandingIn(visit.sent, brandingOf(read.branding));
    return this.changes.run(visit, {
      labels: BRANDING_LABELS,
      checked: toBranding(values, part),
      write: (patch) => this.branding.update(visit.actor, id, patch, versionIn(visit.sent)),
      form: async (errors: Errors) => renderBranding(visit, read, { values, errors }),
      conflict: () => this.conflict(visit, read, { values }),
      done: donePath(id, part),
    });
  }

  /** Saves the accent color, or only shows how it looks. */
  @Form('branding/color', 'status_pages:write')
  async saveColor(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const read = await this.read(visit, id);
    const typed = (visit.sent.get('accent_color') ?? '').trim();
    const color = /^[0-9a-f]{6}$/i.test(typed) ? `#${typed}` : typed;
    const checked = check(UpdateStatusPageDto, { accent_color: color || null }, COLOR_LABELS);
    if (visit.sent.get('step') === 'show')
      return renderBranding(visit, read, { color, ...(checked.errors && { errors: checked.errors }) });
    return this.changes.run(visit, {
      labels: COLOR_LABELS,
      checked,
      write: (patch) => this.statusPages.update(visit.actor, id, patch, versionIn(visit.sent)),
      form: async (errors: Errors) => renderBranding(visit, read, { color, errors }),
      conflict: () => this.conflict(visit, read, { color }),
      done: donePath(id, 'color'),
    });
  }

  /** Sends a picture for the screen, because the public one can be on another host, or need a way in. */
  @Screen('pictures/:kind', 'status_pages:read')
  async picture(
    @Visiting() visit: Visit,
    @Param('id', OwnId) id: string,
    @Param('kind') name: string,
    @Res() response: Response,
  ): Promise<void> {
    const { bytes, content_type } = await this.branding.picture(visit.actor, id, required(name));
    response.removeHeader('Access-Control-Allow-Origin');
    response.set({ ...PICTURE_HEADERS, 'Content-Type': content_type }).end(bytes);
  }

  @Upload('pictures/:kind', 'status_pages:write', MAX_IMAGE_BYTES)
  async upload(
    @Visiting() visit: Visit,
    @Param('id', OwnId) id: string,
    @Param('kind') name: string,
  ): Promise<Reply> {
    const kind = required(name);
    const { file } = visit;
    const put = async () => {
      if (file) await this.branding.putImage(visit.actor, id, kind, file, versionIn(visit.sent));
    };
    return this.change(visit, id, kind, put, file ? undefined : words.no_picture);
  }

  @Form('pictures/:kind/remove', 'status_pages:write')
  async remove(
    @Visiting() visit: Visit,
    @Param('id', OwnId) id: string,
    @Param('kind') name: string,
  ): Promise<Reply> {
    const kind = required(name);
    return this.change(visit, id, kind, () =>
      this.branding.deleteImage(visit.actor, id, kind, versionIn(visit.sent)),
    );
  }

  /** Changes a picture, or shows what is wrong with it. */
  private async change(
    visit: Visit,
    id: string,
    kind: ImageKind,
    write: () => Promise<void>,
    error?: string,
  ): Promise<Reply> {
    const read = await this.read(visit, id);
    const wrong = (text: string) =>
      renderBranding(visit, read, { errors: { [kind]: text, form: errorWords.summary(1) } });
    if (error !== undefined) return wrong(error);
    try {
      await write();
      return goTo(donePath(id, kind));
    } catch (caught) {
      if (!(caught instanceof Problem)) throw caught;
      if (FILE_PROBLEMS.has(caught.code)) return wrong(caught.detail);
      if (caught.code === 'precondition_failed') return this.conflict(visit, read, {});
      throw caught;
    }
  }

  private async read({ actor }: Visit, id: string): Promise<ReadBranding> {
    return { ...(await this.reader.read(actor, id)), branding: await this.branding.get(actor, id) };
  }

  private async conflict(visit: Visit, read: ReadBranding, result: BrandingResult): Promise<Reply> {
    const author = await this.reader.lastAuthor(visit.actor, read.page.id);
    return renderBranding(visit, read, { ...result, conflict: { author } });
  }
}

/** Returns the path of the screen that confirms a change beside its form. */
function donePath(id: string, place: ImageKind | BrandingPart | 'color'): string {
  return `${pathOf({ id }, 'branding')}?done=${place}#${place}`;
}

/** @throws Problem 404 `not_found` */
function required(name: string): ImageKind {
  const kind = kindIn(name);
  if (!kind) throw notFound('picture');
  return kind;
}
