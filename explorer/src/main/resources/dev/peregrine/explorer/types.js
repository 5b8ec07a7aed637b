// What the server serves, as the page was given it, and what the types mean in JSON.

const schema = JSON.parse(document.getElementById('schema').textContent);

const KINDS = {
  unary: 'unary',
  server_streaming: 'server stream',
  client_streaming: 'client stream',
  bidi_streaming: 'bidi stream',
};

/** Types with a JSON form of their own: as text, as a scalar in disguise, or as any JSON. */
const WELL_KNOWN = {
  'google.protobuf.Timestamp': { text: true, hint: 'as in 2026-01-31T12:00:00Z' },
  'google.protobuf.Duration': { text: true, hint: 'as in 1.5s' },
  'google.protobuf.FieldMask': { text: true, hint: 'as in name,address.city' },
  'google.protobuf.DoubleValue': { scalar: 'double' },
  'google.protobuf.FloatValue': { scalar: 'float' },
  'google.protobuf.Int64Value': { scalar: 'int64' },
  'google.protobuf.UInt64Value': { scalar: 'uint64' },
  'google.protobuf.Int32Value': { scalar: 'int32' },
  'google.protobuf.UInt32Value': { scalar: 'uint32' },
  'google.protobuf.BoolValue': { scalar: 'bool' },
  'google.protobuf.StringValue': { scalar: 'string' },
  'google.protobuf.BytesValue': { scalar: 'bytes' },
  'google.protobuf.Any': { json: true, hint: 'an object with @type, such as type.googleapis.com/pkg.Message' },
  'google.protobuf.Struct': { json: true, hint: 'any JSON object' },
  'google.protobuf.ListValue': { json: true, hint: 'any JSON array' },
  'google.protobuf.Value': { json: true, hint: 'any JSON' },
};

const INTEGERS_32 = ['int32', 'uint32', 'sint32', 'fixed32', 'sfixed32'];
// JSON numbers hold 53 bits: protobuf writes these as strings.
const INTEGERS_64 = ['int64', 'uint64', 'sint64', 'fixed64', 'sfixed64'];
const FRACTIONS = ['float', 'double'];

function isNumeric(type) {
  return INTEGERS_32.includes(type) || INTEGERS_64.includes(type) || FRACTIONS.includes(type);
}

function simpleName(fullName) {
  return fullName.slice(fullName.lastIndexOf('.') + 1);
}

function packageName(fullName) {
  return fullName.slice(0, Math.max(0, fullName.lastIndexOf('.')));
}

function findService(name) {
  return schema.services.find((service) => service.name === name);
}

/** The service and method of a path: package.Service/Method. */
function findMethod(path) {
  const slash = path.indexOf('/');
  const service = slash < 0 ? undefined : findService(path.slice(0, slash));
  const method = service && service.methods.find((one) => one.name === path.slice(slash + 1));
  return method && { service, method };
}

function canCall(method) {
  return method.kind === 'unary' || method.kind === 'server_streaming';
}

/** A field's type in words, without its message's package. */
function typeText(field) {
  const value = field.ref ? simpleName(field.ref) : field.type;
  if (field.map) {
    return `map of ${field.map} to ${value}`;
  }
  return field.repeated ? `repeated ${value}` : value;
}
