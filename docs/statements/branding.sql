-- Statements of the API's operations. Written by: npx vitest run test/architecture/statements -u

DELETE FROM status_page_images
 WHERE organization_id = $1 AND status_page_id = $2 AND kind = $3
RETURNING kind;

INSERT INTO status_page_branding (organization_id, status_page_id, language, time_zone, website_url, support_url, links, theme, show_response_times, updated_at)
SELECT $1, $2, language, time_zone, website_url, support_url, links, theme, coalesce(show_response_times, false), updated_at
  FROM jsonb_to_recordset($3::jsonb -> 'branding')
    AS one (language text, time_zone text, website_url text, support_url text, links jsonb, theme text,
            show_response_times boolean, updated_at timestamptz);

INSERT INTO status_page_branding (organization_id, status_page_id, updated_at)
VALUES ($1, $2, $3)
ON CONFLICT DO NOTHING;

INSERT INTO status_page_images (organization_id, status_page_id, kind, hash, content_type, width, height, size, bytes)
SELECT $1, $2, kind, hash, content_type, width, height, size, decode(base64, 'base64')
  FROM jsonb_to_recordset($3::jsonb -> 'images')
    AS one (kind text, hash text, content_type text, width integer, height integer, size integer, base64 text);

INSERT INTO status_page_images AS image
            (organization_id, status_page_id, kind, hash, content_type, width, height, size, bytes)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
ON CONFLICT (status_page_id, kind) DO UPDATE
  SET hash = excluded.hash, content_type = excluded.content_type, width = excluded.width,
      height = excluded.height, size = excluded.size, bytes = excluded.bytes
WHERE image.bytes <> excluded.bytes
RETURNING kind;

SELECT (SELECT row_to_json(fields)
   FROM (SELECT language, time_zone, website_url, support_url, links, theme, show_response_times, updated_at
           FROM status_page_branding
          WHERE organization_id = $1 AND status_page_id = $2) AS fields) AS branding,
(SELECT coalesce(json_object_agg(kind, json_build_object(
          'hash', hash, 'content_type', content_type, 'width', width, 'height', height, 'size', size)), '{}')
   FROM status_page_images
  WHERE organization_id = $1 AND status_page_id = $2) AS images;

SELECT json_build_object(
  'branding', (SELECT coalesce(json_agg(one), '[]')
                 FROM (SELECT language, time_zone, website_url, support_url, links, theme, show_response_times, updated_at FROM status_page_branding
                        WHERE organization_id = $1 AND status_page_id = $2) AS one),
  'images', (SELECT coalesce(json_agg(one), '[]')
               FROM (SELECT kind, hash, content_type, width, height, size, encode(bytes, 'base64') AS base64 FROM status_page_images
                      WHERE organization_id = $1 AND status_page_id = $2) AS one)
)::text AS text;

SELECT status_page_id FROM status_page_branding
WHERE organization_id = $1 AND status_page_id = $2 AND ($3::timestamptz[] IS NULL OR updated_at = ANY($3::timestamptz[]))
  FOR NO KEY UPDATE;

UPDATE status_page_branding
    SET (language, time_zone, website_url, support_url, links, theme, show_response_times) = ROW ($4::text, $5::text, $6::text, $7::text, $8::jsonb, $9::text, $10::boolean),
        updated_at = CASE
          WHEN ROW (language, time_zone, website_url, support_url, links, theme, show_response_times) IS DISTINCT FROM ROW ($4::text, $5::text, $6::text, $7::text, $8::jsonb, $9::text, $10::boolean)
          THEN GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
          ELSE updated_at
        END
    WHERE organization_id = $1 AND status_page_id = $2 AND ($3::timestamptz[] IS NULL OR updated_at = ANY($3::timestamptz[]))
RETURNING row_to_json((SELECT output FROM (SELECT status_page_id AS status_page_id, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version;

UPDATE status_page_branding SET updated_at = GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond') WHERE organization_id = $1 AND status_page_id = $2;
