// The program's icon: a lit whiteboard and two curved rows of people before it.
#pragma once

#include "app/hosts/image.h"

namespace auditorium {

Image icon(int size);  // size x size pixels, transparent around

}  // namespace auditorium
