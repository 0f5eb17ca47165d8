-- Statements of the API's operations. Written by: npx vitest run test/architecture/statements -u

DELETE FROM access_links WHERE organization_id = $1 AND status_page_id = $2 AND id = $3 RETURNING description;

INSERT INTO access_links (organization_id, status_page_id, id, token_hash, created_at, description)
    VALUES ($1, $2, $3, $4, $5, $6::text)
RETURNING id, description, last_used_at, status_page_id, created_at;

INSERT INTO status_page_access (organization_id, status_page_id, updated_at)
VALUES ($1, $2, $3)
ON CONFLICT DO NOTHING;

SELECT coalesce(array_to_json((array_agg(json))[:$3]), '[]')::text AS text,
       CASE WHEN count(*) > $3 THEN (array_agg(created_at))[$3] END AS created_at,
       CASE WHEN count(*) > $3 THEN (array_agg(id))[$3] END AS id
  FROM (SELECT row_to_json((SELECT output FROM (SELECT resource.id AS id, resource.description AS description, to_char(resource.last_used_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS last_used_at, resource.status_page_id AS status_page_id, to_char(resource.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at) AS output)) AS json, id, created_at
          FROM (
     SELECT id, description, last_used_at, status_page_id, created_at
       FROM access_links
      WHERE organization_id = $1 AND status_page_id = $2
      ORDER BY created_at DESC, id DESC
      LIMIT $3::int + 1) AS resource
       ) AS rows;

SELECT organization_id, status_page_id, password_hash, emails, email_domains, networks, oidc,
      oidc_client_secret, updated_at
 FROM status_page_access
WHERE organization_id = $1 AND status_page_id = $2;

SELECT status_page_id FROM status_page_access
WHERE organization_id = $1 AND status_page_id = $2 AND ($3::timestamptz[] IS NULL OR updated_at = ANY($3::timestamptz[]))
  FOR NO KEY UPDATE;

UPDATE status_page_access
    SET (emails, email_domains, networks, oidc, oidc_client_secret) = ROW ($4::text[], $5::text[], $6::text[], $7::jsonb, $8::bytea),
        updated_at = CASE
          WHEN ROW (emails, email_domains, networks, oidc, oidc_client_secret) IS DISTINCT FROM ROW ($4::text[], $5::text[], $6::text[], $7::jsonb, $8::bytea)
          THEN GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
          ELSE updated_at
        END
    WHERE organization_id = $1 AND status_page_id = $2 AND ($3::timestamptz[] IS NULL OR updated_at = ANY($3::timestamptz[]))
RETURNING row_to_json((SELECT output FROM (SELECT status_page_id AS status_page_id, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version;

WITH counted AS (SELECT FROM access_links WHERE organization_id = $1 AND status_page_id = $2) SELECT count(*)::integer AS count FROM counted;
