import { Controller, Param } from '@nestjs/common';
import { ApiKeysService } from '../../api-keys/api-keys.service.js';
import type { ApiKeyDto, NewApiKeyDto } from '../../api-keys/dto/api-key.dto.js';
import { CreateApiKeyDto } from '../../api-keys/dto/create-api-key.dto.js';
import { RotateApiKeyDto } from '../../api-keys/dto/rotate-api-key.dto.js';
import { Deletions } from '../deletions.js';
import { check, type Errors, errorsOf } from '../errors-of-fields.js';
import { OwnId } from '../own-id.js';
import { partOf, rangeIn } from '../pager.js';
import { plain, ProjectContents } from '../project-contents.js';
import { Publishing } from '../publishing.js';
import { goTo, type Reply } from '../reply.js';
import { Form, Screen } from '../routes.js';
import { renderSecret } from '../secret.js';
import { type Visit, Visiting } from '../visit.js';
import { WORDS } from '../words.js';
import { KEY_LABELS, keyIn, type KeyValues, renderNewKey, toKey, withChoices } from './key-form.js';
import { renderKey, renderKeys } from './keys-page.js';

const { keys: words } = WORDS;

const PATH = '/manage/keys';

/** Number of keys that a screen lists. */
const ROWS = 50;

/** Lists, creates, rotates and revokes API keys, by the service of the API. */
@Controller('manage/keys')
export class KeyScreensController {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly contents: ProjectContents,
    private readonly publishing: Publishing,
    private readonly deletions: Deletions,
  ) {}

  @Screen('', 'api_keys:read')
  async list(@Visiting() visit: Visit): Promise<Reply> {
    return renderKeys(visit, partOf(await this.keys.list(visit.actor, rangeIn(visit, ROWS))));
  }

  @Screen('new', 'api_keys:write')
  async showNew(@Visiting() visit: Visit): Promise<Reply> {
    const { project_ids } = visit.actor;
    return this.form(visit, { name: '', scopes: [], project_ids, expires_at: '' });
  }

  @Form('', 'api_keys:write')
  async create(@Visiting() visit: Visit): Promise<Reply> {
    const values = keyIn(visit.sent);
    const { value, errors } = check(CreateApiKeyDto, toKey(values), KEY_LABELS);
    if (!value) return this.form(visit, values, withChoices(errors, values));
    try {
      return await this.secretOnce(visit, () => this.keys.create(visit.actor, value));
    } catch (error) {
      return this.form(visit, values, errorsOf(error, KEY_LABELS));
    }
  }

  @Screen(':id', 'api_keys:read')
  async show(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    return renderKey(visit, await this.read(visit, id));
  }

  @Form(':id/rotate', 'api_keys:write')
  async rotate(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const key = await this.read(visit, id);
    const sent = { overlap_seconds: Number(visit.sent.get('overlap_seconds') ?? '0') };
    const { value, errors } = check(RotateApiKeyDto, sent, {});
    if (!value) return renderKey(visit, key, errors);
    try {
      return await this.secretOnce(visit, () => this.keys.rotate(visit.actor, id, value));
    } catch (error) {
      return renderKey(visit, key, errorsOf(error, {}));
    }
  }

  @Screen(':id/revoke', 'api_keys:write')
  async askToRevoke(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    return this.revoke(visit, id);
  }

  @Form(':id/revoke', 'api_keys:write')
  async revoke(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const path = `${PATH}/${id}`;
    const question = async () => {
      const { name } = await this.read(visit, id);
      return {
        action: `${path}/revoke`,
        back: { path, text: name },
        title: words.revoke_title(name),
        text: words.revoke_text,
        button: words.revoke,
      };
    };
    return this.deletions.run(visit, id, question, async () => {
      await this.keys.revoke(visit.actor, id);
      return `${PATH}?done=revoked`;
    });
  }

  /** Shows a new key once. A form that is sent again leads to the key without its text. */
  private async secretOnce(visit: Visit, create: () => Promise<NewApiKeyDto>): Promise<Reply> {
    let path = PATH;
    return this.publishing.once(
      visit,
      async () => {
        const created = await create();
        path = `${PATH}/${created.id}?done=repeated`;
        const { id, name, key } = created;
        return renderSecret(visit, {
          title: words.once_title,
          text: (
            <>
              <bdi>{name}</bdi> · {words.once}
            </>
          ),
          label: words.key,
          value: key,
          next: { path: `${PATH}/${id}`, text: words.to_list },
        });
      },
      () => goTo(path),
    );
  }

  private async read({ actor }: Visit, id: string): Promise<ApiKeyDto> {
    return plain(await this.keys.get(actor, id));
  }

  private async form(visit: Visit, values: KeyValues, errors?: Errors): Promise<Reply> {
    const { projects } = await this.contents.projects(visit.actor);
    return renderNewKey(visit, { values, projects, errors });
  }
}
