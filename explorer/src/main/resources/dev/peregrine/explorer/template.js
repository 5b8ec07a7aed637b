// Request templates: every field of a message with a value that shows its form.

/** Deeper messages are left empty: a template is to be read. */
const TEMPLATE_DEPTH = 4;

function scalarTemplate(type) {
  if (type === 'bool') {
    return false;
  }
  if (INTEGERS_64.includes(type)) {
    return '0';
  }
  return isNumeric(type) ? 0 : '';
}

function wellKnownTemplate(ref) {
  switch (ref) {
    case 'google.protobuf.Timestamp':
      return new Date().toISOString();
    case 'google.protobuf.Duration':
      return '1s';
    case 'google.protobuf.FieldMask':
      return '';
    case 'google.protobuf.ListValue':
      return [];
    case 'google.protobuf.Value':
      return null;
    default:
      return WELL_KNOWN[ref].scalar ? scalarTemplate(WELL_KNOWN[ref].scalar) : {};
  }
}

/** A value for one element of a field. */
function valueTemplate(field, around = []) {
  if (field.type === 'enum') {
    const values = schema.enums[field.ref].values;
    return values.length > 0 ? values[0].name : 0;
  }
  if (field.type !== 'message') {
    return scalarTemplate(field.type);
  }
  return WELL_KNOWN[field.ref] ? wellKnownTemplate(field.ref) : messageTemplate(field.ref, around);
}

/** Whether a message would contain itself, or too much. */
function endsTemplate(field, around) {
  return field.type === 'message' && !WELL_KNOWN[field.ref]
    && (around.includes(field.ref) || around.length >= TEMPLATE_DEPTH);
}

/**
 * An object for a message. Of a oneof the first field is filled in.
 *
 * @param around the messages that contain it, outermost first
 */
function messageTemplate(ref, around = []) {
  const object = {};
  const chosen = new Set();
  const path = [...around, ref];
  for (const field of schema.messages[ref].fields) {
    if ((field.oneof && chosen.has(field.oneof)) || endsTemplate(field, path)) {
      continue;
    }
    if (field.oneof) {
      chosen.add(field.oneof);
    }
    const value = valueTemplate(field, path);
    if (field.map) {
      object[field.json] = { [keyTemplate(field.map)]: value };
    } else {
      object[field.json] = field.repeated ? [value] : value;
    }
  }
  return object;
}

function keyTemplate(type) {
  if (type === 'bool') {
    return 'true';
  }
  return isNumeric(type) ? '0' : 'key';
}

/** What a request begins with, as text. */
function requestTemplate(method) {
  const object = method.request ? requestObject(method.request) : {};
  return JSON.stringify(object, null, 2);
}

function requestObject(ref) {
  return WELL_KNOWN[ref] ? wellKnownTemplate(ref) : messageTemplate(ref);
}
